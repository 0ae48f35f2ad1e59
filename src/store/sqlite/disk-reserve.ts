/**
 * Room that is set aside beside the data file. SQLite needs room to start and to delete; on a full disk, the reserve is given up for
 * that, and nothing that grows is stored until there is room for it again.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#base/errors';

/** Enough for the write-ahead log of a step of a deletion, and little beside any data. */
const RESERVE_BYTES = 8 * 1024 * 1024;

/** Of a disk that is called full: less than a start takes. */
const SHORT_BYTES = 1024 * 1024;

/** The reserve of a data file. */
export class DiskReserve {
  readonly #path: string;
  #isHeld: boolean;

  constructor(dataPath: string) {
    this.#path = `${dataPath}.reserve`;
    this.#isHeld = statSync(this.#path, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  }

  /** Whether the room is set aside. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Gives the room up; says whether there was any. */
  release(): boolean {
    const hadRoom = this.#isHeld;
    rmSync(this.#path, { force: true });
    this.#isHeld = false;
    return hadRoom;
  }

  /** Sets the room aside if that leaves some; says whether it is. */
  restore(): boolean {
    if (this.#isHeld) return true;
    if (freeBytesBeside(this.#path) < RESERVE_BYTES + SHORT_BYTES) return false;
    // A file system that compresses would keep zeros without any room.
    const noise = randomBytes(SHORT_BYTES);
    try {
      const file = openSync(this.#path, 'w', 0o600);
      try {
        for (let bytes = 0; bytes < RESERVE_BYTES; ) bytes += writeSync(file, noise);
      } finally {
        closeSync(file);
      }
      this.#isHeld = true;
    } catch {
      this.release();
    }
    return this.#isHeld;
  }

  /** @throws AppError `insufficient_storage` unless the room is set aside */
  assertHeld(): void {
    if (!this.#isHeld) throw new AppError('insufficient_storage', DISK_FULL);
  }
}

/** Whether the disk of a file has no room for a start. */
export function isDiskShort(path: string): boolean {
  return freeBytesBeside(path) < SHORT_BYTES;
}

/** What somebody is told. */
export const DISK_FULL =
  'The disk with the data is full: make room, or delete traces. Reading and deleting work; storing starts again by itself.';

/** The room on the disk of a file; infinite where that cannot be told. */
export function freeBytesBeside(path: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(dirname(path));
    // Without any blocks, a file system does not say.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
