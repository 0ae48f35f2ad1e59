/** Requests to the server of this configuration, which runs on the same machine. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Config } from '#config/config';
import { toTlsOptions } from '#server/tls-options';

/** Where the server of this configuration answers. */
export function serverUrl({ addresses, http, rootPath }: Pick<Config, 'addresses' | 'http' | 'rootPath'>): string {
  const [address] = addresses;
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  const scheme = http.tls === null ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${http.port}${rootPath}`;
}

/** A request to the server of this configuration, and the beginning of its answer. */
export interface Sent {
  readonly method: string;
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends it. @throws Error where nobody answers in time */
export async function sendToServer(
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
