/** Inserts many rows with one COPY. */
import type { BulkInsert } from '../engine/statements.ts';
import { StorageError } from '../engine/storage-error.ts';
import { type CopyColumn, encodeRows } from './copy-format.ts';
import type { PostgresSession } from './session.ts';

/** Rows into a table of the session's schema; their columns' types are asked for once a table. */
export function bulkInsertOnPostgres(session: PostgresSession): BulkInsert {
  const tables = new Map<string, ReadonlyMap<string, number>>();
  return async (table, rows) => {
    const [first] = rows;
    if (first === undefined) return;
    const types = tables.get(table) ?? (await readTypes(session, table));
    tables.set(table, types);
    const columns = Object.keys(first).map((name) => columnOf(table, types, name));
    const chunks = encodeRows(columns, rows);
    const names = columns.map(({ name }) => `"${name}"`);
    try {
      await session.copyIn(`COPY "${table}" (${names.join(', ')}) FROM STDIN (FORMAT binary)`, chunks);
    } catch (error) {
      // It may have been changed since.
      tables.delete(table);
      throw error;
    }
  };
}

function columnOf(table: string, types: ReadonlyMap<string, number>, name: string): CopyColumn {
  const type = types.get(name);
  if (type === undefined) throw new StorageError('statement', `there is no column ${name} in ${table}`, undefined);
  return { name, type };
}

async function readTypes(session: PostgresSession, table: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await session.run(
    'SELECT attname AS name, atttypid AS type FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
    [`"${table}"`],
  );
  return new Map((rows as readonly { name: string; type: number }[]).map(({ name, type }) => [name, type]));
}
