import zlib from 'node:zlib';
import { AppError } from '#base/errors';

/**
 * Undoes the content codings of a body: identity, gzip, deflate (with or without its zlib header), br, zstd, and lists
 * of up to two. The output is capped while it inflates.
 * @param contentEncoding the `Content-Encoding` or `grpc-encoding` header, empty for none
 * @throws AppError `unsupported` for another coding, `too_large` where body or output is larger than `maxBytes`,
 *   `invalid_argument` where the body is corrupt, cut off, or followed by other bytes
 */
export function decompress(body: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  const codings = codingsOf(contentEncoding);
  if (codings.length > MAX_CODINGS) {
    throw new AppError(
      'unsupported',
      `More than ${MAX_CODINGS} content codings are not supported. Send the body in one.`,
    );
  }
  return codings.reduceRight((bytes, coding) => inflate(bytes, coding, maxBytes), body);
}

/** Whether a body with that `Content-Encoding` is another once it is decompressed. */
export function isCompressed(contentEncoding: string): boolean {
  return codingsOf(contentEncoding).length > 0;
}

function codingsOf(contentEncoding: string): readonly string[] {
  return contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

function inflate(body: Uint8Array, coding: string, maxBytes: number): Uint8Array {
  const decoder = findDecoder(coding, body);
  if (decoder === undefined) {
    const shown = JSON.stringify(coding.slice(0, 40));
    throw new AppError(
      'unsupported',
      `Content coding ${shown} is not supported. Send gzip, deflate, br, zstd or identity.`,
    );
  }
  const parts: Uint8Array[] = [];
  let rest = body;
  let length = 0;
  do {
    const part = inflateStream(decoder, rest, coding, length, maxBytes);
    parts.push(part.bytes);
    length += part.bytes.length;
    rest = rest.subarray(part.consumedBytes);
    // A zstd body may consist of several frames; all else ends with its one stream, for gzip with its last member.
    if (rest.length > 0 && (coding !== 'zstd' || parts.length === MAX_FRAMES)) throw corrupt(coding);
  } while (rest.length > 0);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, length);
}

/** Inflates one stream; a body may hold more of them behind it. */
function inflateStream(
  decoder: Decoder,
  body: Uint8Array,
  coding: string,
  lengthBefore: number,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly consumedBytes: number } {
  try {
    // Node refuses a limit of zero; the length is checked again below.
    const maxOutputLength = Math.max(1, maxBytes - lengthBefore);
    const { buffer, engine } = decoder(body, { maxOutputLength, info: true }) as unknown as InflateInfo;
    if (lengthBefore + buffer.length > maxBytes) throw tooLarge(maxBytes);
    return { bytes: buffer, consumedBytes: engine.bytesWritten };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(maxBytes);
    throw corrupt(coding, error);
  }
}

type Decoder = (body: Uint8Array, options: { maxOutputLength: number; info: true }) => Uint8Array;

/** What Node returns for `info: true`; `bytesWritten` is how much of the input the stream took. */
interface InflateInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function findDecoder(coding: string, body: Uint8Array): Decoder | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.gunzipSync;
    case 'deflate':
      return hasZlibHeader(body) ? zlib.inflateSync : zlib.inflateRawSync;
    case 'br':
      return zlib.brotliDecompressSync;
    case 'zstd':
      return (bytes, options) => zlib.zstdDecompressSync(bytes, { ...options, params: ZSTD_PARAMS });
    default:
      return undefined;
  }
}

/** RFC 1950, section 2.2: method 8, and a checksum over two bytes, which a raw stream meets by rare chance only. */
function hasZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `The body is larger than ${maxBytes} bytes uncompressed. Send smaller batches.`);
}

function corrupt(coding: string, cause?: unknown): AppError {
  return new AppError('invalid_argument', `The body is not valid ${coding} data, or is incomplete.`, { cause });
}

const MAX_CODINGS = 2;
const MAX_FRAMES = 1000;
/** Frames that would take more than 32 MiB of memory for their window are refused. */
const ZSTD_PARAMS = { [zlib.constants.ZSTD_d_windowLogMax]: 25 };
