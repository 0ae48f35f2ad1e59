/** Inserts many rows with one statement text, the cheapest way an engine has. */
import type { Kysely } from 'kysely';
import type { SqliteConnection, SqliteValue } from '../../sqlite/connection.ts';
import type { Tables } from '../../schema/tables.ts';

/** Puts rows into a table; every row has the same columns, in the same order. */
export type BulkInsert = (table: keyof Tables, rows: readonly Readonly<Record<string, SqliteValue>>[]) => Promise<void>;

/** Rows one by one through a prepared statement: SQLite is in the process, so there is no round trip to save. */
export function bulkInsertOnSqlite(connection: SqliteConnection, compiler: Kysely<Tables>): BulkInsert {
  const texts = new Map<string, string>();
  return async (table, rows) => {
    const [first] = rows;
    if (first === undefined) return;
    let text = texts.get(table);
    if (text === undefined) {
      text = compiler.insertInto(table).values(first).compile().sql;
      texts.set(table, text);
    }
    const statement = connection.prepare(text);
    for (const row of rows) statement.run(Object.values(row));
  };
}
