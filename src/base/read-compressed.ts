/** Reads zstd frames whose bytes are needed for a moment: their memory is given back at once, and nothing of them may be kept. */
import { promisify } from 'node:util';
import { zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { releaseBuffer } from './release-buffer.ts';

/** A frame, and how many bytes it has. */
export interface Compressed {
  readonly frame: Uint8Array;
  readonly size: number;
}

/** What is made of the bytes. @throws Error where the frame is damaged or has more */
export function readCompressed<T>({ frame, size }: Compressed, read: (bytes: Buffer) => T): T {
  const bytes = zstdDecompressSync(frame, optionsFor(size));
  const made = read(bytes);
  giveBack(bytes, size);
  return made;
}

/** The same of several frames, which other threads decompress. */
export async function readAllCompressed<T>(
  all: readonly Compressed[],
  read: (all: readonly Buffer[]) => T,
): Promise<T> {
  const lists = await Promise.all(all.map(({ frame, size }) => decompress(frame, optionsFor(size))));
  const made = read(lists);
  for (const [place, { size }] of all.entries()) giveBack(lists[place] as Buffer, size);
  return made;
}

const decompress = promisify(zstdDecompress);

function optionsFor(size: number) {
  return { maxOutputLength: Math.max(size, 1), chunkSize: chunkSizeFor(size) };
}

/** One more than there will be: a buffer that is full makes Node allocate another of its size. */
function chunkSizeFor(size: number): number {
  return Math.max(size + 1, LEAST_CHUNK_BYTES);
}

function giveBack({ buffer }: Buffer, size: number): void {
  // A small one shares the buffer of others, which is longer.
  if (buffer.byteLength === chunkSizeFor(size)) releaseBuffer(new Uint8Array(buffer));
}

/** Node takes no less. */
const LEAST_CHUNK_BYTES = 64;
