/** Lets pages of configured origins read answers and send any request. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
import type { FastifyInstance } from 'fastify';
import { IGNORED_PARAMETERS_HEADER } from '#api/rest/ignored-parameters';

/**
 * Answers preflights and marks answers for those origins; everybody else's requests go on as they are.
 * @param isExempt whether an address has rules of its own
 */
export function allowOrigins(
  app: FastifyInstance,
  allowedOrigins: readonly string[],
  isExempt: (url: string) => boolean = () => false,
): void {
  if (allowedOrigins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (isExempt(request.url)) return undefined;
    reply.header('vary', 'origin');
    const { origin, 'access-control-request-headers': requestedHeaders } = request.headers;
    if (origin === undefined || !allowedOrigins.includes(origin)) return undefined;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': `x-phoenix-server-version, x-cairn-version, ${IGNORED_PARAMETERS_HEADER}, retry-after`,
    });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return undefined;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-max-age': '600',
        ...(requestedHeaders !== undefined && { 'access-control-allow-headers': requestedHeaders }),
      })
      .send();
  });
}
