import { errorMessage } from '#base/errors';
import { openSqliteReader, type SqliteConnection } from './connection.ts';

/**
 * What SQLite finds wrong with a data file, at most one thing; `undefined` when it is sound. Reads the whole file, and
 * changes nothing. Foreign keys are part of it: a row that refers to nothing came of another program.
 * @throws Error where the file is too damaged to be read
 */
export function findDamage(path: string): string | undefined {
  const connection = openSqliteReader(path);
  try {
    const [row] = connection.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[];
    return row?.quick_check === 'ok' ? findBrokenKey(connection) : row?.quick_check;
  } finally {
    connection.close();
  }
}

/** The first row that refers to a row that is not there, in words; `undefined` where all foreign keys hold. */
export function findBrokenKey(connection: SqliteConnection): string | undefined {
  const [broken] = connection.prepare('SELECT * FROM pragma_foreign_key_check LIMIT 1').all([]) as BrokenKey[];
  return broken && `row ${broken.rowid} of ${broken.table} refers to a row of ${broken.parent} that does not exist`;
}

interface BrokenKey {
  readonly table: string;
  /** Null where the table has none. */
  readonly rowid: number | null;
  readonly parent: string;
}

/** The same, where a file that is too damaged for the check is the check's answer. */
export function describeDamage(path: string): string | undefined {
  try {
    return findDamage(path);
  } catch (error) {
    return errorMessage(error);
  }
}
