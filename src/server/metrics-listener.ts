/** A port for `/metrics` alone, in clear and without credentials, for a collector that has none. */
import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import type { Config } from '#config/config';
import { headersOfEveryReply } from './every-reply.ts';
import { findRefusal } from './host-guard.ts';
import { type HttpListener, listenHttp } from './http-listener.ts';
import { LISTENERS } from './listen.ts';

/** Opens the port. @throws AppError `failed_precondition`, see `listenEverywhere` */
export function listenForMetrics(
  { addresses, port }: NonNullable<Config['metrics']>,
  registry: Registry,
  allowedHosts: readonly string[],
): Promise<HttpListener> {
  return listenHttp(LISTENERS.metrics, answerMetrics(registry, allowedHosts), addresses, port, null, DOORS);
}

/** A few collectors ask, with small heads. */
const DOORS = { connections: 128, heads: 2 ** 20 };

function answerMetrics(registry: Registry, allowedHosts: readonly string[]): RequestListener {
  const answer = async ({ headers, method, url }: Parameters<RequestListener>[0]) => {
    const refusal = findRefusal(headers, { allowedHosts, allowedOrigins: [] });
    if (refusal !== undefined) return { status: 403, body: refusal };
    if (url?.split('?')[0] !== '/metrics') return { status: 404, body: 'This port serves /metrics alone.' };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'Use GET.' };
    return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
  };
  return (request, response) => {
    void answer(request)
      .catch(() => ({ status: 500, body: 'Internal Server Error' }))
      .then(({ status, body, ...more }) => {
        const contentType = 'contentType' in more ? more.contentType : 'text/plain; charset=utf-8';
        response.writeHead(status, {
          ...headersOfEveryReply(false),
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      });
  };
}
