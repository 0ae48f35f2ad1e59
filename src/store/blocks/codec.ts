/**
 * A block: original span messages, each behind its length, in one zstd frame. Spans of one trace repeat each other, so
 * together they compress far better than apart. The frame carries a checksum of what is in it.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { releaseBuffer } from '#base/release-buffer';

/** Raw bytes that a block of several spans may hold: decoding one span costs decoding its block. */
export const MAX_BLOCK_BYTES = 512 * 1024;

/** A block as it is stored. */
export interface EncodedBlock {
  readonly data: Uint8Array;
  /** Bytes before compression. */
  readonly rawBytes: number;
}

/** Packs span messages into one block, in their order. A higher level takes longer and makes it smaller. */
export function encodeBlock(spans: readonly Uint8Array[], level = FAST_LEVEL, dictionary?: Uint8Array): EncodedBlock {
  const rawBytes = spans.reduce((sum, span) => sum + LENGTH_BYTES + span.length, 0);
  const raw = rawBytes <= MAX_BLOCK_BYTES ? scratch().subarray(0, rawBytes) : Buffer.allocUnsafe(rawBytes);
  let offset = 0;
  for (const span of spans) {
    offset = raw.writeUInt32LE(span.length, offset);
    raw.set(span, offset);
    offset += span.length;
  }
  // What is compressed keeps the whole buffer that it is a part of, of which the default is many times a small block.
  const chunkSize = Math.min(rawBytes + FRAME_BYTES, CHUNK_BYTES);
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 };
  const data = zstdCompressSync(raw, { chunkSize, params, ...(dictionary && { dictionary }) });
  if (rawBytes > MAX_BLOCK_BYTES) releaseBuffer(raw);
  return { data, rawBytes };
}

/** The buffer in which a thread puts each of its blocks together. The next call overwrites it. */
function scratch(): Buffer {
  kept ??= Buffer.allocUnsafeSlow(MAX_BLOCK_BYTES);
  return kept;
}

/** Threads that encode nothing have none. */
let kept: Buffer | undefined;

/**
 * The span messages of a block, in the order they were packed.
 * @throws Error where the bytes are not those that were packed; blocks of before there were checksums may pass
 */
export function decodeBlock({ data, rawBytes }: EncodedBlock, dictionary?: Uint8Array): readonly Uint8Array[] {
  // In one piece: of several, each is there twice when they are put together.
  const chunkSize = Math.min(Math.max(rawBytes, 0) + FRAME_BYTES, MAX_CHUNK_BYTES);
  const maxOutputLength = Math.max(rawBytes, 1);
  const raw = zstdDecompressSync(data, { chunkSize, maxOutputLength, ...(dictionary && { dictionary }) });
  if (raw.length !== rawBytes) throw new RangeError(`a block of ${rawBytes} bytes has ${raw.length}`);
  const spans: Uint8Array[] = [];
  for (let offset = 0; offset < raw.length; ) {
    const start = offset + LENGTH_BYTES;
    offset = start + raw.readUInt32LE(offset);
    if (offset > raw.length) throw new RangeError('a message of a block ends behind it');
    spans.push(raw.subarray(start, offset));
  }
  return spans;
}

/** Cuts spans into runs that each fit a block; a span larger than a block has one of its own. */
export function partitionIntoBlocks<T extends { readonly bytes: Uint8Array }>(
  spans: readonly T[],
  maxBytes = MAX_BLOCK_BYTES,
): readonly T[][] {
  const runs: T[][] = [];
  let room = 0;
  for (const span of spans) {
    const size = LENGTH_BYTES + span.bytes.length;
    const run = runs.at(-1);
    if (run === undefined || size > room) {
      runs.push([span]);
      room = maxBytes - size;
    } else {
      run.push(span);
      room -= size;
    }
  }
  return runs;
}

const LENGTH_BYTES = 4;

/** More than what cannot be compressed grows by in a block, and no less than zlib takes. */
const FRAME_BYTES = 64;
const CHUNK_BYTES = 32 * 1024;

/** What a block whose size is damaged may make us set aside. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;

/** Measured on blocks of ten agent spans: level 3 takes half as long again as 1 for 3 % less, and compaction comes later. */
const FAST_LEVEL = 1;
