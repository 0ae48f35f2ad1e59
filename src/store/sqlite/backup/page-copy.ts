/** A copy of a data file page by page, which can be compared afterwards to what was read. */
import { createHash } from 'node:crypto';
import { fdatasyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '#base/errors';

/** Files by their descriptors. */
export interface PageCopyOptions {
  readonly source: number;
  readonly target: number;
  readonly pageBytes: number;
  /** Stops it between two steps. */
  readonly signal: AbortSignal;
}

/** Pages are numbered from 1, as SQLite does. */
export class PageCopy {
  readonly #options: PageCopyOptions;
  readonly #buffer: Buffer;
  readonly #pagesAStep: number;
  /** Of each page as it was read last. */
  #checksums = new Uint32Array(0);
  #pageCount = 0;
  #unsyncedBytes = 0;

  constructor(options: PageCopyOptions) {
    this.#options = options;
    this.#pagesAStep = Math.max(1, Math.floor(STEP_BYTES / options.pageBytes));
    this.#buffer = Buffer.alloc(this.#pagesAStep * options.pageBytes);
  }

  /** Pages from the first on that are copied. */
  get pageCount(): number {
    return this.#pageCount;
  }

  /** Copies the pages that come next, some at a time, up to a number of pages in all. */
  async copyNext(endCount: number): Promise<void> {
    const count = Math.min(this.#pagesAStep, endCount - this.#pageCount);
    if (count <= 0) return;
    this.#reserve(this.#pageCount + count);
    this.#copy(this.#pageCount + 1, count);
    this.#pageCount += count;
    await this.#pause();
  }

  /** Copies again those of the pages, given in ascending order, that are copied already. */
  async copyAgain(pages: readonly number[]): Promise<void> {
    for (let place = 0; place < pages.length; ) {
      const first = pages[place] ?? 0;
      let count = 1;
      while (count < this.#pagesAStep && pages[place + count] === first + count) count++;
      place += count;
      const copied = Math.min(count, this.#pageCount - first + 1);
      if (copied <= 0) return;
      this.#copy(first, copied);
      if (this.#unsyncedBytes === 0) await this.#pause();
    }
  }

  /** Leaves out pages that the file does not have any more. */
  truncate(pageCount: number): void {
    this.#pageCount = Math.min(this.#pageCount, pageCount);
    ftruncateSync(this.#options.target, this.#pageCount * this.#options.pageBytes);
  }

  /** What is on disk when it returns is the copy. */
  sync(): void {
    fdatasyncSync(this.#options.target);
    this.#unsyncedBytes = 0;
  }

  /**
   * Reads the copy back.
   * @returns the SHA-256 of the whole, in hexadecimal digits
   * @throws AppError `internal` where it is not what was read
   */
  async verify(onProgress: (doneBytes: number) => void): Promise<string> {
    const { target, pageBytes } = this.#options;
    const hash = createHash('sha256');
    for (let done = 0; done < this.#pageCount; ) {
      const count = Math.min(this.#pagesAStep, this.#pageCount - done);
      const bytes = this.#buffer.subarray(0, count * pageBytes);
      readWhole(target, bytes, done * pageBytes);
      for (let place = 0; place < count; place++) {
        if (this.#checksums[done + place] !== checksumOf(bytes, place, pageBytes)) {
          throw new AppError('internal', `Reading the copy back gave different bytes: page ${done + place + 1}.`);
        }
      }
      hash.update(bytes);
      done += count;
      onProgress(done * pageBytes);
      await this.#pause();
    }
    return hash.digest('hex');
  }

  #copy(firstPage: number, count: number): void {
    const { source, target, pageBytes } = this.#options;
    const bytes = this.#buffer.subarray(0, count * pageBytes);
    const at = (firstPage - 1) * pageBytes;
    readWhole(source, bytes, at);
    if (firstPage === 1) bytes.fill(ROLLBACK_JOURNAL, JOURNAL_MODES_AT, JOURNAL_MODES_AT + 2);
    for (let place = 0; place < count; place++) {
      this.#checksums[firstPage - 1 + place] = checksumOf(bytes, place, pageBytes);
    }
    writeWhole(target, bytes, at);
    this.#unsyncedBytes += bytes.length;
    // Much that is not on disk would have to be before a commit of the server's is.
    if (this.#unsyncedBytes >= MAX_UNSYNCED_BYTES) this.sync();
  }

  #reserve(pageCount: number): void {
    if (pageCount <= this.#checksums.length) return;
    const larger = new Uint32Array(Math.max(pageCount, this.#checksums.length * 2));
    larger.set(this.#checksums);
    this.#checksums = larger;
  }

  /** Lets signals through. */
  async #pause(): Promise<void> {
    await nextTurn();
    this.#options.signal.throwIfAborted();
  }
}

const STEP_BYTES = 4 * 1024 * 1024;
const MAX_UNSYNCED_BYTES = 32 * 1024 * 1024;

/** Where a data file says that it has a write-ahead log; without one it is read whole wherever it lies. */
const JOURNAL_MODES_AT = 18;
const ROLLBACK_JOURNAL = 1;

function checksumOf(bytes: Buffer, place: number, pageBytes: number): number {
  return crc32(bytes.subarray(place * pageBytes, (place + 1) * pageBytes));
}

function readWhole(file: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, at + done);
    if (count === 0) throw new AppError('internal', 'A data file ended before its last page.');
    done += count;
  }
}

function writeWhole(file: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
