/** Asks the server that has the data open, from the command line of the same machine. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { AppError, errorMessage } from '#base/errors';
import type { Config } from '#config/config';

/** Where the server of this configuration answers. */
function serverUrl({ addresses, http, rootPath }: Pick<Config, 'addresses' | 'http' | 'rootPath'>): string {
  const [address] = addresses;
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  const scheme = http.tls === null ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${http.port}${rootPath}`;
}

/** Describes the Cairn server that listens where this configuration does; undefined if another program has the port. */
export async function findRunningServer(
  config: Pick<Config, 'addresses' | 'http' | 'rootPath'>,
): Promise<string | undefined> {
  if (config.http.port === 0) return undefined;
  const url = serverUrl(config);
  const get = config.http.tls === null ? getHttp : getHttps;
  return new Promise((resolve) => {
    // Whose certificate it is does not matter to a question that says nothing.
    const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(GREETING_TIMEOUT_MS) };
    const request = get(`${url}/healthz`, options, ({ headers }) => {
      request.destroy();
      const version = headers['x-cairn-version'];
      resolve(version === undefined ? undefined : `Cairn ${String(version)} responds at ${url}`);
    });
    request.on('error', () => resolve(undefined));
  });
}

const GREETING_TIMEOUT_MS = 5000;

/**
 * Sends a request to the running server and reads the JSON that it answers.
 * @param path below the root path, with its slash
 * @throws AppError with what to do, where nobody answers or the answer is a refusal
 */
export async function askServer(
  config: Pick<Config, 'addresses' | 'http' | 'rootPath'>,
  path: string,
  request: { readonly method: 'GET' | 'POST'; readonly body?: object } = { method: 'GET' },
): Promise<unknown> {
  if (config.http.port === 0) {
    throw new AppError('failed_precondition', 'The server chose a free port: name it with --port.');
  }
  const url = `${serverUrl(config)}${path}`;
  const { method, body } = request;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new AppError(
      'unavailable',
      `A server has the data open but does not respond at ${url} (${errorMessage(cause)}): give this command the settings that the server was started with, such as --port.`,
      { cause: error },
    );
  }
  const text = await response.text();
  if (!response.ok) {
    throw new AppError(
      'failed_precondition',
      `The server at ${url} responded with ${response.status}: ${text.slice(0, 500)}`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('failed_precondition', `The program that responds at ${url} is not Cairn.`, { cause: error });
  }
}

/** A busy server may take a while to explain or to count. */
const TIMEOUT_MS = 30_000;
