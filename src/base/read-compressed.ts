import { zstdDecompressSync } from 'node:zlib';
import { releaseBuffer } from './release-buffer.ts';

/**
 * What is made of the bytes of a zstd frame that has so many, of which nothing may be kept: their memory is given back at once.
 * @throws Error where the frame is damaged or has more bytes
 */
export function readCompressed<T>(frame: Uint8Array, size: number, read: (bytes: Buffer) => T): T {
  // One more than there will be: a buffer that is full makes Node allocate another of its size.
  const chunkSize = Math.max(size + 1, LEAST_CHUNK_BYTES);
  const bytes = zstdDecompressSync(frame, { maxOutputLength: Math.max(size, 1), chunkSize });
  const made = read(bytes);
  // A small one shares the buffer of others, which is longer.
  if (bytes.buffer.byteLength === chunkSize) releaseBuffer(new Uint8Array(bytes.buffer));
  return made;
}

/** Node takes no less. */
const LEAST_CHUNK_BYTES = 64;
