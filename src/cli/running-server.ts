/** Asks the server that has the data open, from the command line of the same machine. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { AppError, errorMessage } from '#base/errors';
import type { Config } from '#config/config';
import { toTlsOptions } from '#server/tls-options';

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
  try {
    const response = await send(config, `${url}/healthz`, { method: 'GET', timeoutMs: GREETING_TIMEOUT_MS });
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
  config: Pick<Config, 'addresses' | 'http' | 'rootPath' | 'clientKey'>,
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
    const response = await send(config, url, {
      method,
      timeoutMs: TIMEOUT_MS,
      headers: {
        ...(config.clientKey !== null && { authorization: `Bearer ${config.clientKey.reveal()}` }),
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
  'Set SERVICE_API_KEY to an API key of an administrator, or SERVICE_ADMIN_SECRET to that of the server.';

/** A busy server may take a while to explain or to count. */
const TIMEOUT_MS = 30_000;

/** A request to the server of this configuration, and the beginning of its answer. */
interface Sent {
  readonly method: string;
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(
  { http }: Pick<Config, 'http'>,
  url: string,
  { method, timeoutMs, headers, body }: Sent,
): Promise<IncomingMessage> {
  const options: RequestOptions = { method, headers: { ...headers }, agent: false };
  const signal = AbortSignal.timeout(timeoutMs);
  const request =
    http.tls === null
      ? requestHttp(url, { ...options, signal })
      : requestHttps(url, { ...options, ...ownCertificate(http.tls), signal });
  request.end(body);
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
  return response;
}

/**
 * Trusts the certificate of this configuration and no other, whatever names it has: they are seldom those of this machine. The
 * same certificate is shown to a server that demands one.
 */
function ownCertificate(tls: NonNullable<Config['http']['tls']>) {
  const { cert, key, passphrase } = toTlsOptions(tls);
  return {
    ca: new X509Certificate(tls.certificatePem).toString(),
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
    ...(tls.clientCaPem !== null && { cert, key, ...(passphrase !== undefined && { passphrase }) }),
  };
}

/** An address that has several has failed with each. */
function describeFailure(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return errorMessage(first ?? error);
}
