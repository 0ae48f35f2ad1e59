/** A disk of a few megabytes, in memory, for tests of what happens when it is full. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createTestFolder, removeTestFolder } from './leftovers.ts';

/** A folder that is a disk of so many megabytes until the test ends; `undefined` where none can be mounted here. */
export function mountSmallDisk(megabytes: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const folder = createTestFolder('disk');
  onTestFinished(() => removeTestFolder(folder));
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', [disk]));
  return disk;
}

/** Why a test without one is skipped. */
export const NO_SMALL_DISK = 'a small disk cannot be mounted here';

/** What others may have done: no more than so many bytes are left. */
export function fillWithBallast(disk: string, leftBytes = 0): void {
  const left = join(disk, 'left');
  writeFileSync(left, Buffer.alloc(leftBytes));
  for (let bytes = 2 ** 20, number = 0; bytes >= 512; number++) {
    try {
      writeFileSync(join(disk, `ballast-${number}`), Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
  rmSync(left);
}

/** Makes room again. */
export function removeBallast(disk: string): void {
  for (const name of readdirSync(disk)) if (name.startsWith('ballast-')) rmSync(join(disk, name));
}
