/**
 * Room that is set aside beside the data file. SQLite needs room to start and to delete; on a full disk, the reserve is given up for
 * that, and nothing that grows is stored until there is room for it again.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#base/errors';

const MIB = 1024 * 1024;

/** Of a disk that is called full: less than a start takes. */
const SHORT_BYTES = MIB;

/** A start and the smallest steps of a deletion take a fourth of it, and a deletion takes smaller steps where larger ones do not fit. */
const LEAST_BYTES = MIB;

/** Steps of the usual size fit, also in a large database. */
const MOST_BYTES = 8 * MIB;

/** What is set aside is this part of the data. */
const SHARE = 1 / 128;

/** What is set aside for data of so many bytes, in whole MiB. */
export function reserveBytesFor(dataBytes: number): number {
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.round((dataBytes * SHARE) / MIB) * MIB));
}

/** The reserve of a data file. */
export class DiskReserve {
  readonly #path: string;
  #heldBytes: number;

  constructor(dataPath: string) {
    this.#path = `${dataPath}.reserve`;
    this.#heldBytes = bytesOf(this.#path);
  }

  /** Whether the room is set aside. */
  get isHeld(): boolean {
    return this.#heldBytes >= LEAST_BYTES;
  }

  /** Gives the room up; says whether there was any. */
  release(): boolean {
    const hadRoom = this.isHeld;
    rmSync(this.#path, { force: true });
    this.#heldBytes = 0;
    return hadRoom;
  }

  /** Sets aside what data of so many bytes should have, if that leaves some room; says whether enough for deleting is set aside. */
  fit(dataBytes: number): boolean {
    const wantedBytes = reserveBytesFor(dataBytes);
    const missingBytes = wantedBytes - this.#heldBytes;
    if (missingBytes === 0) return true;
    if (missingBytes > 0 && freeBytesBeside(this.#path) < missingBytes + SHORT_BYTES) return this.isHeld;
    try {
      this.#resize(wantedBytes);
    } catch {
      // It cannot be opened, or nothing can be written: what was set aside before stays so.
    }
    return this.isHeld;
  }

  #resize(wantedBytes: number): void {
    const file = openSync(this.#path, 'a', 0o600);
    try {
      setSize(file, wantedBytes);
    } catch {
      // Others were faster.
      ftruncateSync(file, this.#heldBytes);
    } finally {
      this.#heldBytes = fstatSync(file).size;
      closeSync(file);
    }
  }

  /** @throws AppError `insufficient_storage` unless the room is set aside */
  assertHeld(): void {
    if (!this.isHeld) throw new AppError('insufficient_storage', DISK_FULL);
  }
}

/** A file system that compresses would keep zeros without any room. */
function setSize(file: number, bytes: number): void {
  const heldBytes = fstatSync(file).size;
  if (bytes <= heldBytes) return ftruncateSync(file, bytes);
  const noise = randomBytes(bytes - heldBytes);
  for (let written = 0; written < noise.length; ) written += writeSync(file, noise, written);
}

/** What a file holds; nothing where it is gone, of which `fileGuard` tells. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
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
