/** What a test leaves behind when it is aborted: folders are removed; servers end with whoever started them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** A new empty folder in the machine's folder for temporary files, gone when this process ends if not before. */
export function createTestFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `cairn-${name}-`));
  folders.add(folder);
  return folder;
}

/** Removes a folder of {@link createTestFolder}. */
export function removeTestFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** For Node's `--import`: ends a process with the one that started it, however that ended. Its threads have no channel. */
export const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(`
  if (process.channel) {
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.channel.unref();
  }
`)}`;

process.once('exit', removeFolders);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    removeFolders();
    process.kill(process.pid, signal);
  });
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
