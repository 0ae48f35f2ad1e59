import { errorMessage } from '#base/errors';
import { openSqliteReader } from './connection.ts';

/**
 * What SQLite finds wrong with a data file, at most one thing; `undefined` when it is sound. Reads the whole file, and
 * changes nothing.
 * @throws Error where the file is too damaged to be read
 */
export function findDamage(path: string): string | undefined {
  const connection = openSqliteReader(path);
  try {
    const [row] = connection.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[];
    return row?.quick_check === 'ok' ? undefined : row?.quick_check;
  } finally {
    connection.close();
  }
}

/** The same, where a file that is too damaged for the check is the check's answer. */
export function describeDamage(path: string): string | undefined {
  try {
    return findDamage(path);
  } catch (error) {
    return errorMessage(error);
  }
}
