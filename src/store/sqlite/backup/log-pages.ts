/**
 * Which pages the write-ahead log of a data file holds, read from the log itself.
 * @see https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, openSync, readSync } from 'node:fs';

/** The log beside a data file; open it after a connection to the file, which sees to it that there is one. */
export class LogPages {
  readonly #file: number;
  readonly #frameBytes: number;
  readonly #header = Buffer.alloc(FRAME_HEADER_BYTES);

  constructor(dataPath: string, pageBytes: number) {
    this.#file = openSync(`${dataPath}-wal`, 'r');
    this.#frameBytes = FRAME_HEADER_BYTES + pageBytes;
  }

  /** Tells the log from what it was before it last began anew; empty before anything was written. */
  generation(): string {
    const bytes = this.#read(SALTS_AT, SALTS_BYTES);
    return bytes.toString('hex');
  }

  /** Whether the log has that many frames, since it last began anew. Those of a transaction under way count. */
  hasFrame(frame: number): boolean {
    return this.#readFrame(frame).generation === this.generation();
  }

  /** The pages of frames, first and last included; `undefined` where not all are of that generation. */
  pagesOf(first: number, last: number, generation: string): readonly number[] | undefined {
    const pages: number[] = [];
    for (let frame = first; frame <= last; frame++) {
      const read = this.#readFrame(frame);
      if (read.generation !== generation) return undefined;
      pages.push(read.page);
    }
    return pages;
  }

  close(): void {
    closeSync(this.#file);
  }

  #readFrame(frame: number): { readonly generation: string; readonly page: number } {
    const bytes = this.#read(LOG_HEADER_BYTES + (frame - 1) * this.#frameBytes, FRAME_SALTS_AT + SALTS_BYTES);
    if (bytes.length < FRAME_SALTS_AT + SALTS_BYTES) return { generation: 'none', page: 0 };
    return { generation: bytes.toString('hex', FRAME_SALTS_AT), page: bytes.readUInt32BE(0) };
  }

  #read(at: number, length: number): Buffer {
    return this.#header.subarray(0, readSync(this.#file, this.#header, 0, length, at));
  }
}

const LOG_HEADER_BYTES = 32;
const SALTS_AT = 16;
const SALTS_BYTES = 8;
const FRAME_HEADER_BYTES = 24;
/** After the number of the page and the size of the file. */
const FRAME_SALTS_AT = 8;
