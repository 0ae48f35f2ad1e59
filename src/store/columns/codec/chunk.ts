/** A chunk: what is stored of one column of a segment, compressed where that makes it much smaller. */
import { constants, zstdCompressSync } from 'node:zlib';
import { readCompressed } from '#base/read-compressed';

/** Compresses, with nothing around it. */
export function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}

/**
 * Bytes as they are stored.
 * @param worthwhile the share of its size from which on a chunk is not compressed: decompressing takes several times as long
 *   as everything else that is done with it
 */
export function packChunk(bytes: Uint8Array, worthwhile = 2 / 3): Uint8Array {
  const compressed = bytes.length < MIN_COMPRESSED ? bytes : compress(bytes);
  const isWorthIt = compressed.length < bytes.length * worthwhile;
  const content = isWorthIt ? compressed : bytes;
  const packed = Buffer.allocUnsafe(SIZE_BYTES + content.length);
  packed.writeUInt32LE(isWorthIt ? bytes.length : 0);
  packed.set(content, SIZE_BYTES);
  return packed;
}

/** What is made of the bytes of a stored chunk, of which nothing may be kept. */
export function readChunk<T>(packed: Uint8Array, read: (bytes: Uint8Array) => T): T {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const size = view.readUInt32LE();
  const content = view.subarray(SIZE_BYTES);
  return size === 0 ? read(content) : readCompressed({ frame: content, size }, read);
}

/** Before the content: how large it is when decompressed, 0 where it is not compressed. */
const SIZE_BYTES = 4;

/** Less is a constant or little more, which takes longer to decompress than to read. */
const MIN_COMPRESSED = 64;

const LEVEL = 3;
