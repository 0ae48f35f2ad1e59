/** A disk of a few megabytes, in memory, for tests of what happens when it is full. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a disk of so many megabytes in the place of a folder; says whether that can be done here. */
export function mountSmallDisk(folder: string, megabytes: number): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status === 0;
}

/** Takes the disk away again, if there is one. */
export function unmountSmallDisk(folder: string): void {
  spawnSync('umount', [folder]);
}

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
