/** Buffers that are given back as soon as nobody uses them. */

/**
 * Gives the memory of a buffer back at once, which is empty then; one that shares its memory with others stays. Left to the
 * collector, many are there at a time, and make it look through the whole heap of the thread after every few of them.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  const isAlone = byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  if (isAlone && byteLength >= LEAST_BYTES) buffer.transfer(0);
}

/** Smaller buffers are not worth the call. */
const LEAST_BYTES = 4 * 1024;
