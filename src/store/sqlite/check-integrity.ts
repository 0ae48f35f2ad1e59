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
