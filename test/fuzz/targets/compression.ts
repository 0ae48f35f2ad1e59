/** Content codings: what is damaged is refused, or has lost no byte; nothing inflates beyond the limit. */
import zlib from 'node:zlib';
import { AppError } from '#base/errors';
import { decompress } from '#otlp/compression';
import { PROTOBUF_REQUESTS } from '../corpus.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import type { Random } from '../random.ts';
import { Finding, hold, type Target } from '../target.ts';

const LIMIT = 64 * 1024;

interface Coding {
  readonly name: string;
  readonly compress: (bytes: Uint8Array) => Uint8Array;
}

const FAST_BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
const CODINGS: readonly Coding[] = [
  { name: 'gzip', compress: zlib.gzipSync },
  { name: 'deflate', compress: zlib.deflateSync },
  { name: 'deflate', compress: zlib.deflateRawSync },
  { name: 'br', compress: (bytes) => zlib.brotliCompressSync(bytes, FAST_BROTLI) },
  { name: 'zstd', compress: zlib.zstdCompressSync },
];

/** The first byte names the coding, the next two the recording that it is of; the rest is the body. */
export const compressionTarget: Target = {
  name: 'compression',
  create: (random) => {
    const which = random(CODINGS.length);
    const recording = random(PROTOBUF_REQUESTS.length);
    const body = compressBadly(random, CODINGS[which] as Coding, PROTOBUF_REQUESTS[recording] as Uint8Array);
    return Buffer.concat([Uint8Array.of(which, recording >> 8, recording & 0xff), body]);
  },
  check: ([which = 0, high = 0, low = 0, ...rest]) => {
    const coding = CODINGS[which] as Coding;
    const body = Uint8Array.from(rest);
    const content = PROTOBUF_REQUESTS[high * 256 + low] as Uint8Array;
    const isWhole = Buffer.from(coding.compress(content)).equals(body);
    const inflated = decompressOrRefuse(body, coding.name);
    if (inflated === undefined) return hold(!isWhole, () => 'an undamaged body is refused');
    hold(inflated.length <= LIMIT, () => `${inflated.length} bytes are more than the limit`);
    // The other codings have no checksum that damage to their first bytes cannot switch off.
    if (isWhole) hold(Buffer.from(inflated).equals(content), () => 'an undamaged body comes out as another');
    else if (coding.name === 'gzip') hold(isRepetition(inflated, content), () => 'damage is not noticed');
  },
};

function isRepetition(bytes: Uint8Array, part: Uint8Array): boolean {
  const repeated = Array.from({ length: bytes.length / part.length }, () => part);
  return Buffer.concat(repeated).equals(bytes);
}

/** One that is whole in one of eight cases, and a member of a longer one in another. */
function compressBadly(random: Random, coding: Coding, content: Uint8Array): Uint8Array {
  const body = coding.compress(content);
  switch (random(8)) {
    case 0:
      return body;
    case 1:
      return Buffer.concat(Array.from({ length: 2 + random(6) }, () => body));
    default:
      return mutateBytes(random, body, 1 + random(3));
  }
}

function decompressOrRefuse(body: Uint8Array, coding: string): Uint8Array | undefined {
  try {
    return decompress(body, coding, LIMIT);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'invalid_argument' || error.code === 'too_large'))
      return undefined;
    throw new Finding(`another error than a refusal: ${String(error)}`);
  }
}
