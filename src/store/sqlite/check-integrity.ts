import { errorMessage } from '#base/errors';
import { openSqliteReader, type SqliteConnection } from './connection.ts';

/** How much is compared: pages alone, or each row with its entries in indexes as well, which takes several times as long. */
export type IntegrityCheck = 'quick_check' | 'integrity_check';

/**
 * What SQLite finds wrong with a data file, at most one thing; `undefined` when it is sound. Reads the whole file, and
 * changes nothing. Foreign keys are part of it: a row that refers to nothing came of another program.
 * @throws Error where the file is too damaged to be read
 */
export function findDamage(path: string, how: IntegrityCheck = 'quick_check'): string | undefined {
  const connection = openSqliteReader(path);
  try {
    const first = check(connection, how, 1);
    // Of pages in no table there may be many, and SQLite stops after as many findings as were asked for.
    const found = first.isAnyUnused ? check(connection, how, MAX_FINDINGS) : first;
    return found.damage ?? findBrokenKey(connection);
  } finally {
    connection.close();
  }
}

/** The first damage, beside pages of which nothing is missed: those of tables that were replaced (`replace-tables.ts`). */
function check(connection: SqliteConnection, how: IntegrityCheck, maxFindings: number) {
  const rows = connection.prepare(`PRAGMA ${how}(${maxFindings})`).all([]) as Readonly<Record<string, string>>[];
  const lines = rows.flatMap((row) => row[how]?.split('\n') ?? []).filter((line) => !NO_FINDING.test(line));
  const damage = lines.find((line) => !UNUSED_PAGE.test(line));
  return { damage, isAnyUnused: damage === undefined && lines.length > 0 };
}

const NO_FINDING = /^(ok|\*\*\* in database main \*\*\*|)$/;
const UNUSED_PAGE = /^Page \d+: never used$/;
const MAX_FINDINGS = 1_000_000;

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
export function describeDamage(path: string, how: IntegrityCheck = 'quick_check'): string | undefined {
  try {
    return findDamage(path, how);
  } catch (error) {
    return errorMessage(error);
  }
}
