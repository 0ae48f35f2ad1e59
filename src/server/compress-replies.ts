import { promisify } from 'node:util';
import { constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { releaseBuffer } from '#base/release-buffer';

/** Smaller answers fit one packet either way. */
const MIN_BYTES = 1024;

/** A page of prose shrinks to 36 % at this level; level 3 takes half as long again for a twelfth fewer bytes. */
const GZIP_LEVEL = 1;

/** Smaller than gzip makes them, in a sixth of its time. Windows are far below the 8 MB that clients must take. */
const ZSTD_LEVEL = 1;

const packGzip = promisify(gzip);
const packZstd = promisify(zstdCompress);

/** In the order in which they are chosen. */
const CODINGS = [
  {
    name: 'zstd',
    pack: (bytes: Uint8Array) => packZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } }),
  },
  { name: 'gzip', pack: (bytes: Uint8Array) => packGzip(bytes, { level: GZIP_LEVEL }) },
] as const;

/**
 * Sends answers of some size packed to clients that take that; the work happens outside the main thread. Bytes that are sent, or packed,
 * are nobody else's any more: they are given back.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding, https://www.rfc-editor.org/rfc/rfc9659
 */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!(payload instanceof Uint8Array) || payload.length < MIN_BYTES) return payload;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    const takes = readAcceptEncoding(request.headers['accept-encoding']);
    const coding = CODINGS.find(({ name }) => takes(name));
    const sent = coding === undefined ? payload : await coding.pack(payload);
    if (coding !== undefined) {
      reply.header('content-encoding', coding.name);
      releaseBuffer(payload);
    }
    reply.raw.once('finish', () => releaseBuffer(sent));
    return sent;
  });
}

/** Whether the header names a coding, or all by an asterisk, and does not rule it out with a weight of zero. */
function readAcceptEncoding(header = ''): (coding: string) => boolean {
  const isTaken = new Map<string, boolean>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    isTaken.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  return (coding) => isTaken.get(coding) ?? isTaken.get('*') ?? false;
}
