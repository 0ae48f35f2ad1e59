/**
 * A data file that stands still while it is copied, beside a server that writes: what is committed stays in the write-ahead log
 * meanwhile. Before the log becomes long the file thaws for a moment, takes in what is in the log, and stands still again;
 * which pages that changed is read from the log. docs/decisions/0036-backups.md says why it is right.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors';
import { StorageError } from '../../engine/storage-error.ts';
import { openSqlite, openSqliteReader, type SqliteConnection } from '../connection.ts';
import { LogPages } from './log-pages.ts';

/** How the file is watched; other values than these are for tests. */
export interface FreezingOptions {
  /** The log is long when so much was written into it since the file stands still. */
  readonly maxLogBytes: number;
  /** So much is copied while the file stands still, even then: it must come to an end, however fast others write. */
  readonly minCopyBytes: number;
  /** How long others that read may keep the file from standing still. */
  readonly patienceMs: number;
}

/**
 * The limits of the product. A server tries to empty a log of 64 MB with each commit, which takes the longer the more of it
 * cannot be emptied.
 */
export const FREEZING: FreezingOptions = {
  maxLogBytes: 48 * 1024 * 1024,
  minCopyBytes: 64 * 1024 * 1024,
  patienceMs: 300_000,
};

/** See the head of the file. */
export class FrozenFile {
  readonly #options: FreezingOptions;
  /** Keeps others from writing, for moments. */
  readonly #writer: SqliteConnection;
  readonly #checkpointer: SqliteConnection;
  /** Its transaction keeps the file as it is. */
  #reader: SqliteConnection;
  #spareReader: SqliteConnection;
  readonly #log: LogPages;
  readonly #maxFrames: number;
  /** Up to where the log is in the file. */
  #known = { generation: '', frame: 0 };
  /** Of the log when the file last began to stand still. */
  #generationBefore = '';
  #restartWaitMs = 0;
  readonly #changed = new Set<number>();
  #isClosed = false;
  readonly pageBytes: number;

  private constructor(path: string, options: FreezingOptions) {
    this.#options = options;
    this.#writer = openSqlite(path, { readOnly: false });
    // What a stopped server left, or a backup that was put back, need not be in this mode.
    this.#writer.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000');
    this.#checkpointer = openSqlite(path, { readOnly: false });
    this.#checkpointer.exec('PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
    this.#reader = openSqliteReader(path);
    this.#spareReader = openSqliteReader(path);
    this.#begin(this.#reader);
    this.pageBytes = readNumber(this.#reader, 'page_size');
    this.#log = new LogPages(path, this.pageBytes);
    this.#maxFrames = Math.ceil(options.maxLogBytes / this.pageBytes);
  }

  /**
   * Opens the file, and makes it stand still.
   * @throws AppError `unavailable` where others keep it from that
   */
  static async open(path: string, options: FreezingOptions = FREEZING): Promise<FrozenFile> {
    const file = new FrozenFile(path, options);
    try {
      await file.refreeze();
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Reads the data as the file has them. */
  get reader(): SqliteConnection {
    return this.#reader;
  }

  /** As the file stands now. */
  get pageCount(): number {
    return readNumber(this.#reader, 'page_count');
  }

  /** Whether so much was written that the file should take it in. */
  get isLogLong(): boolean {
    const { generation, frame } = this.#known;
    return this.#log.hasFrame((this.#log.generation() === generation ? frame : 0) + this.#maxFrames);
  }

  /**
   * Takes in what was written, and stands still again.
   * @returns the pages that are others now, ascending
   * @throws AppError `unavailable` where others keep it from that for too long
   */
  async refreeze(): Promise<readonly number[]> {
    const deadline = performance.now() + this.#options.patienceMs;
    this.#moveReader();
    for (let waitMs = MIN_WAIT_MS; !this.#tryToFreeze(waitMs); waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      if (performance.now() > deadline) {
        throw new AppError(
          'unavailable',
          'The data is being read constantly, so its write-ahead log cannot be emptied: try again later.',
        );
      }
      await sleep(waitMs * REST_RATIO);
    }
    const changed = [...this.#changed].sort((one, other) => one - other);
    this.#changed.clear();
    return changed;
  }

  /** May be called again. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const connection of [this.#reader, this.#spareReader, this.#writer, this.#checkpointer]) connection.close();
    this.#log.close();
  }

  /** Others that write wait for it for at most `waitMs` and {@link MAX_WAIT_MS}. */
  #tryToFreeze(waitMs: number): boolean {
    // Most of it while the server goes on, so that it waits for little.
    for (let round = 0; round < 3; round++) {
      this.#emptyLog();
      this.#moveReader();
    }
    try {
      this.#writer.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (error instanceof StorageError && error.fault === 'conflict') return false;
      throw error;
    }
    try {
      this.#moveReader();
      const frames = this.#emptyWholeLog(waitMs);
      if (frames === undefined) return false;
      const generation = this.#log.generation();
      const isSameLog = generation === this.#generationBefore;
      if (!this.#noteChanged(frames, generation)) throw new AppError('internal', 'The write-ahead log is incomplete.');
      this.#generationBefore = generation;
      // This one reads the file alone, which lets the log begin anew, and keeps the file as it is.
      this.#moveReader();
      // It did not the last time: others were reading it. Whoever begins now reads the file alone, too.
      this.#restartWaitMs = isSameLog ? Math.min(Math.max(MIN_WAIT_MS, this.#restartWaitMs * 2), MAX_WAIT_MS) : 0;
      pause(this.#restartWaitMs);
      return true;
    } finally {
      this.#writer.exec('ROLLBACK');
    }
  }

  /** While nobody writes: how many frames it had; `undefined` where others read what was before them for longer. */
  #emptyWholeLog(waitMs: number): number | undefined {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const { frames, emptied } = this.#checkpoint();
      if (frames >= 0 && emptied === frames) return frames;
      if (performance.now() > deadline) return undefined;
      pause(POLL_MS);
    }
  }

  #emptyLog(): void {
    const generation = this.#log.generation();
    const { frames } = this.#checkpoint();
    // A log that began anew in between is looked at later, when nobody writes.
    if (this.#log.generation() === generation) this.#noteChanged(frames, generation);
  }

  /** Notes the pages of frames that are new; says whether it could. */
  #noteChanged(frames: number, generation: string): boolean {
    const known = generation === this.#known.generation ? this.#known.frame : 0;
    if (frames <= known) return true;
    const pages = this.#log.pagesOf(known + 1, frames, generation);
    if (pages === undefined || this.#log.generation() !== generation) return false;
    for (const page of pages) this.#changed.add(page);
    this.#known = { generation, frame: frames };
    return true;
  }

  /** Writes what it can of the log into the file, without anybody waiting; -1 where somebody else is about to. */
  #checkpoint(): { readonly frames: number; readonly emptied: number } {
    const [row] = this.#checkpointer.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([]) as Checkpointed[];
    return { frames: row?.log ?? -1, emptied: row?.checkpointed ?? -1 };
  }

  /** Reads on from now. One transaction begins before the other ends: with none the log could begin anew unseen. */
  #moveReader(): void {
    this.#begin(this.#spareReader);
    this.#reader.exec('COMMIT');
    [this.#reader, this.#spareReader] = [this.#spareReader, this.#reader];
  }

  #begin(reader: SqliteConnection): void {
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM sqlite_schema').all([]);
  }
}

interface Checkpointed {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** How long others may not write while it is waited for some that read, in milliseconds; longer with each attempt. */
const MIN_WAIT_MS = 10;
const MAX_WAIT_MS = 250;
/** How much longer they write in between. */
const REST_RATIO = 3;
const POLL_MS = 2;

/** Nobody else is to run in between: others wait for what this thread holds. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function readNumber(connection: SqliteConnection, pragma: 'page_size' | 'page_count'): number {
  const [row] = connection.prepare(`PRAGMA ${pragma}`).all([]) as Record<string, number>[];
  return row?.[pragma] ?? 0;
}
