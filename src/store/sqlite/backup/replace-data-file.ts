/** Exchanges a data file for another one. */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { AppError } from '#base/errors';
import { DAMAGE_SUFFIX } from '../../engine/damage.ts';
import { StorageError } from '../../engine/storage-error.ts';
import { openSqlite, type SqliteConnection } from '../connection.ts';
import { putInPlace } from './unfinished-file.ts';

/**
 * Moves a file that is whole, synced and without a log into the place of a data file whose server lock is held. Either the one or
 * the other is there at any moment, each with its own log or none: a log that is left behind would be taken for the new file's. What is known
 * to be damaged stays with the old data.
 * @returns where the old data are; `null` where there were none, or they were discarded
 * @throws AppError `failed_precondition` where somebody else has the old data open
 */
export function replaceDataFile(
  place: string,
  replacement: string,
  { isDiscarding }: { readonly isDiscarding: boolean },
): string | null {
  const kept = `${place}.before-restore-${timestamp()}`;
  const old = existsSync(place) ? closeToOthers(place) : undefined;
  try {
    // What is damaged cannot take its log in, nor can what is gone.
    for (const suffix of old === undefined ? ['-wal', '-journal'] : []) {
      if (!existsSync(`${place}${suffix}`)) continue;
      if (isDiscarding) rmSync(`${place}${suffix}`);
      else renameSync(`${place}${suffix}`, `${kept}${suffix}`);
    }
    rmSync(`${place}-shm`, { force: true });
    const isKept = existsSync(place) && !isDiscarding;
    // A second name, so that the first is never without a file.
    if (isKept) linkSync(place, kept);
    putInPlace(replacement, place);
    const damage = `${place}${DAMAGE_SUFFIX}`;
    if (!isKept) rmSync(damage, { force: true });
    else if (existsSync(damage)) renameSync(damage, `${kept}${DAMAGE_SUFFIX}`);
    return isKept ? kept : null;
  } finally {
    old?.close();
  }
}

/** Takes the log into the file and keeps everybody else from it while it is open; `undefined` where it is too damaged. */
function closeToOthers(place: string): SqliteConnection | undefined {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(place, { readOnly: false });
    connection.exec('PRAGMA busy_timeout = 500; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection?.close();
    if (!(error instanceof StorageError)) throw error;
    if (error.fault !== 'conflict') return undefined;
    throw new AppError(
      'failed_precondition',
      `Another program has ${place} open, such as a backup or a database shell: wait for it to finish, or stop it.`,
      { cause: error },
    );
  }
}

/** Now, as part of a name. */
function timestamp(): string {
  return new Date().toISOString().replaceAll(':', '-');
}
