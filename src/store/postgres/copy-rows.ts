/** Inserts many rows with one COPY. */
import type { BulkInsert } from '../schema/statements.ts';
import type { ColumnTypes } from './column-types.ts';
import { encodeRows } from './copy-format.ts';
import type { PostgresSession } from './session.ts';

/** Rows into a table of the session's schema. */
export function bulkInsertOnPostgres(session: PostgresSession, types: ColumnTypes): BulkInsert {
  return async (table, rows) => {
    const [first] = rows;
    if (first === undefined) return;
    const columns = await types.columnsOf(table, Object.keys(first));
    const chunks = encodeRows(columns, rows);
    const names = columns.map(({ name }) => `"${name}"`);
    try {
      await session.copyIn(`COPY "${table}" (${names.join(', ')}) FROM STDIN (FORMAT binary)`, chunks);
    } catch (error) {
      types.forget(table);
      throw error;
    }
  };
}
