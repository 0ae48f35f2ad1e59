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
