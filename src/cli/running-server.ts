/** Asks the server that has the data open, from the command line of the same machine. */
import { text as readText } from 'node:stream/consumers';
import { AppError, errorMessage } from '#base/errors';
import type { Config } from '#config/config';
import { sendToServer, serverUrl } from './send-to-server.ts';
import { findAccessToken } from './sign-in/tokens.ts';

/** Describes the Cairn server that listens where this configuration does; undefined if another program has the port. */
export async function findRunningServer(
  config: Pick<Config, 'addresses' | 'http' | 'rootPath'>,
): Promise<string | undefined> {
  if (config.http.port === 0) return undefined;
  const url = serverUrl(config);
  try {
    const response = await sendToServer(config, `${url}/healthz`, { method: 'GET', timeoutMs: GREETING_TIMEOUT_MS });
    response.destroy();
    const version = response.headers['x-cairn-version'];
    return version === undefined ? undefined : `Cairn ${String(version)} responds at ${url}`;
  } catch {
    return undefined;
  }
}

const GREETING_TIMEOUT_MS = 5000;

/**
 * Sends a request to the running server and reads the JSON that it answers.
 * @param path below the root path, with its slash
 * @throws AppError with what to do, where nobody answers or the answer is a refusal
 */
export async function askServer(
  config: Pick<Config, 'addresses' | 'http' | 'rootPath' | 'clientKey' | 'workingDirectory'>,
  path: string,
  request: { readonly method: 'GET' | 'POST'; readonly body?: object } = { method: 'GET' },
): Promise<unknown> {
  if (config.http.port === 0) {
    throw new AppError('failed_precondition', 'The server chose a free port: name it with --port.');
  }
  const url = `${serverUrl(config)}${path}`;
  const { method, body } = request;
  let status: number;
  let text: string;
  try {
    const token = config.clientKey?.reveal() ?? (await findAccessToken(config));
    const response = await sendToServer(config, url, {
      method,
      timeoutMs: TIMEOUT_MS,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    status = response.statusCode ?? 0;
    text = await readText(response);
  } catch (error) {
    throw new AppError(
      'unavailable',
      `A server has the data open but does not respond at ${url} (${describeFailure(error)}): give this command the settings that the server was started with, such as --port.`,
      { cause: error },
    );
  }
  if (status < 200 || status > 299) {
    const advice = status === 401 || status === 403 ? ` ${CREDENTIALS}` : '';
    throw new AppError(
      'failed_precondition',
      `The server at ${url} responded with ${status}: ${text.slice(0, 500)}${advice}`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('failed_precondition', `The program that responds at ${url} is not Cairn.`, { cause: error });
  }
}

const CREDENTIALS =
  'Run cairn login as an administrator, or set SERVICE_API_KEY to an API key of one, or SERVICE_ADMIN_SECRET to that of the server.';

/** A busy server may take a while to explain or to count. */
const TIMEOUT_MS = 30_000;

/** An address that has several has failed with each. */
function describeFailure(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return errorMessage(first ?? error);
}
