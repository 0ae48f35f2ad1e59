/** Tables with damaged pages: SQLite can neither empty nor drop them, because it would have to read them for that. */
import { isDamage } from '../engine/storage-error.ts';
import type { SqliteConnection } from './connection.ts';

/** Whether SQLite finds pages of the table, or of its indexes, damaged; reads all of it. */
export function isDamagedTable(connection: SqliteConnection, table: string): boolean {
  try {
    const [row] = connection.prepare(`PRAGMA quick_check(${table})`).all([]) as { quick_check: string }[];
    return row?.quick_check !== 'ok';
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}

/**
 * Takes the tables out of the schema and makes them again, with their indexes. Triggers of other tables stay. The pages that they had
 * are in no table any more, and stay in the file until it is copied.
 */
export function replaceTables(connection: SqliteConnection, tables: readonly string[]): void {
  const places = tables.map(() => '?').join(', ');
  const ofTables = `FROM sqlite_schema WHERE type IN ('table', 'index') AND tbl_name IN (${places})`;
  const made = connection.prepare(`SELECT sql ${ofTables} AND sql IS NOT NULL ORDER BY type DESC`).all(tables) as {
    sql: string;
  }[];
  connection.changeSchema(() => void connection.prepare(`DELETE ${ofTables}`).run(tables));
  for (const { sql } of made) connection.exec(sql);
}
