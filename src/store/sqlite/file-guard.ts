/** Notices that an open data file is not the one at its path any more: what is written to it then is lost with it. */
import { statSync } from 'node:fs';
import { AppError } from '#base/errors';

/**
 * A check to make after each commit and before its acknowledgement, for a data file that is open. `onLost` hears of a
 * loss once.
 * @throws AppError `unavailable` while the file or its write-ahead log is deleted, moved or exchanged
 */
export function fileGuard(path: string, onLost: (message: string) => void): () => void {
  const opened = identify(path);
  let wasLost = false;
  return () => {
    const isLost = identify(path) !== opened;
    const message = `The data file ${path} was deleted, moved or replaced while the server was running: put it back or restart the server.`;
    if (isLost && !wasLost) onLost(message);
    wasLost = isLost;
    if (isLost)
      throw new AppError('unavailable', 'The data file is missing or was replaced; the server’s log says more.');
  };
}

/** Which files these are, by device and number; nothing for one that is absent. */
function identify(path: string): string {
  return [path, `${path}-wal`]
    .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? '' : `${stats.dev}:${stats.ino}`))
    .join(' ');
}
