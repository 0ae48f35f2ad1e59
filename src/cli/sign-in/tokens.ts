/** Tokens of the command line, from the server of the configuration. */
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { AppError } from '#base/errors';
import type { Config } from '#config/config';
import { COMMAND_LINE } from '#domain/application';
import { sendToServer, serverUrl } from '../send-to-server.ts';
import { readTokens, writeTokens } from './stored-tokens.ts';

/** Of the configuration, what the server is reached with. */
export type ServerPlace = Pick<Config, 'addresses' | 'http' | 'rootPath' | 'workingDirectory'>;

const GIVEN = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });

/** A token that is good still, renewed if it must be; `null` where nobody signed in, or the grant has ended. */
export async function findAccessToken(config: ServerPlace): Promise<string | null> {
  const stored = await readTokens(config, serverUrl(config));
  if (stored === undefined) return null;
  if (Date.now() < stored.expiresAtMs) return stored.access;
  return requestTokens(config, { grant_type: 'refresh_token', refresh_token: stored.refresh }).catch(
    (error: unknown) => {
      // What the server does not take any more is of no use; whoever asks is told to sign in.
      if (error instanceof AppError && error.code === 'failed_precondition') return null;
      throw error;
    },
  );
}

/** Asks for tokens and keeps them; the access token. @throws AppError `failed_precondition` where the server refuses, `unavailable` where it cannot say */
export async function requestTokens(config: ServerPlace, form: Readonly<Record<string, string>>): Promise<string> {
  const { status, text } = await postForm(config, '/oauth2/token', form);
  if (status !== 200) {
    const code = status === 400 ? 'failed_precondition' : 'unavailable';
    throw new AppError(code, `The server gave no tokens (${status}): ${text.slice(0, 500)}`);
  }
  const given = GIVEN.parse(JSON.parse(text));
  const tokens = {
    access: given.access_token,
    refresh: given.refresh_token,
    expiresAtMs: Date.now() + Math.max(0, given.expires_in - EARLY_SECONDS) * 1000,
  };
  await writeTokens(config, serverUrl(config), tokens);
  return tokens.access;
}

/** Sends a form of this application. */
export async function postForm(
  config: ServerPlace,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await sendToServer(config, `${serverUrl(config)}${path}`, {
    method: 'POST',
    timeoutMs: TIMEOUT_MS,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, client_id: COMMAND_LINE.clientId }).toString(),
  });
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

/** A token is renewed before a request could arrive too late with it. */
const EARLY_SECONDS = 30;
const TIMEOUT_MS = 30_000;
