import { closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs';

/** Copies a file and waits until the copy is on disk, so that writing it back does not disturb what is measured next. */
export function copySynced(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
