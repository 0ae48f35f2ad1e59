/** `cairn login`: a person lets the command line in, with a browser that comes back to this machine. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { AppError } from '#base/errors';
import { loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import { COMMAND_LINE } from '#domain/application';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatProblems } from '../problems.ts';
import { sendToServer, serverUrl } from '../send-to-server.ts';
import { requestTokens, type ServerPlace } from './tokens.ts';

const METADATA = z.object({ issuer: z.string(), authorization_endpoint: z.url({ protocol: /^https?$/ }) });

/** Signs in, and keeps what the other commands need. @throws AppError */
export async function runLogin(flags: Flags, { opensBrowser }: { readonly opensBrowser: boolean }): Promise<ExitCode> {
  const { config, problems } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  const metadata = await readMetadata(config);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: COMMAND_LINE.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const address = `${metadata.authorization_endpoint}?${asked.toString()}`;
    process.stdout.write(`Sign in with a browser on this machine, at this address:\n\n${address}\n\n`);
    if (opensBrowser) openBrowser(address);
    const code = await waitForCode(server, { state, issuer: metadata.issuer });
    await requestTokens(config, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  process.stdout.write('You are signed in.\n');
  return EXIT_CODES.ok;
}

async function readMetadata(config: ServerPlace): Promise<z.infer<typeof METADATA>> {
  const url = serverUrl(config);
  try {
    const path = `${url}/.well-known/oauth-authorization-server`;
    const response = await sendToServer(config, path, { method: 'GET', timeoutMs: 30_000 });
    return METADATA.parse(JSON.parse(await readText(response)));
  } catch (error) {
    throw new AppError(
      'unavailable',
      `No server at ${url} lets the command line in: give this command the settings that the server was started with. While authentication is off, no sign-in is needed.`,
      { cause: error },
    );
  }
}

/** The code that the browser brings back. Whatever does not know the state is not the answer. */
function waitForCode(server: Server, expected: { readonly state: string; readonly issuer: string }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => reject(new AppError('deadline_exceeded', 'Nobody answered within 5 minutes.')),
    300_000,
  );
  server.on('request', ({ url = '' }, response) => {
    const answer = new URL(url, 'http://127.0.0.1');
    const value = (name: string) => answer.searchParams.get(name);
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    if (answer.pathname !== '/callback' || value('state') !== expected.state || value('iss') !== expected.issuer) {
      response.writeHead(404).end('This is not the answer that cairn login waits for.');
      return;
    }
    const code = value('code');
    response.end(code === null ? 'You turned the command line away.' : 'You are signed in. You can close this page.');
    if (code !== null) resolve(code);
    else reject(new AppError('permission_denied', `The server did not let the command line in: ${value('error')}.`));
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Tries to; whoever has no browser here has read the address. */
function openBrowser(address: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
