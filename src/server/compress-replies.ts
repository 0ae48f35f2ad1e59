import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** Smaller answers fit one packet either way. */
const MIN_BYTES = 1024;

/** Recorded traces shrink to a ninth at this level; the default takes twice the time for a twelfth. */
const LEVEL = 3;

const compress = promisify(gzip);

/** Sends answers of some size in gzip to clients that take it; the work happens outside the main thread. */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!(payload instanceof Uint8Array) || payload.length < MIN_BYTES || reply.hasHeader('content-encoding')) {
      return payload;
    }
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    if (!takesGzip(request.headers['accept-encoding'])) return payload;
    const compressed = await compress(payload, { level: LEVEL });
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return compressed;
  });
}

/** Whether the header `Accept-Encoding` names gzip and does not rule it out with a weight of zero. */
function takesGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? '').split(',').some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    return (name === 'gzip' || name === '*') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
