/** Bytes gathered into one buffer that nothing else shares, so that it can be moved to another thread. */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  /** Makes room for that many bytes in all. */
  extend(capacity: number): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(capacity));
  }

  /** Copies a chunk to the end; there must be room for it. */
  append(chunk: Uint8Array): void {
    this.#bytes.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  /** The bytes, without spare room. Nothing can be appended afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer.transfer(this.#length));
  }
}

/** Appends a chunk. Where it does not fit, room is made first for four times as much, at most for `maxBytes` in all. */
export function appendGrowing(
  bytes: GrowingBytes,
  chunk: Uint8Array,
  maxBytes: number,
  makeRoom: (more: number) => Promise<void>,
): Promise<void> | undefined {
  if (bytes.length + chunk.length > bytes.capacity) return growAndAppend(bytes, chunk, maxBytes, makeRoom);
  bytes.append(chunk);
  return undefined;
}

async function growAndAppend(
  bytes: GrowingBytes,
  chunk: Uint8Array,
  maxBytes: number,
  makeRoom: (more: number) => Promise<void>,
): Promise<void> {
  const capacity = Math.min(maxBytes, Math.max(4 * bytes.capacity, bytes.length + chunk.length));
  await makeRoom(capacity - bytes.capacity);
  bytes.extend(capacity);
  bytes.append(chunk);
}
