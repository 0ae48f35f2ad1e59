/** Changes many rows with one statement. */
import type { BulkUpdate, ColumnChange } from '../schema/statements.ts';
import type { ColumnTypes, TypedColumn } from './column-types.ts';
import type { PostgresSession } from './session.ts';

/** Rows of a table of the session's schema: each column comes as an array, so that one text serves any number of rows. */
export function bulkUpdateOnPostgres(session: PostgresSession, types: ColumnTypes): BulkUpdate {
  return async (table, rows, changes = {}) => {
    const [first] = rows;
    if (first === undefined) return;
    const [key, ...columns] = (await types.columnsOf(table, Object.keys(first))) as [TypedColumn, ...TypedColumn[]];
    const sets = columns.map(({ name }) => `"${name}" = ${SET[changes[name] ?? 'become'](name)}`);
    const arrays = [key, ...columns].map(({ typeName }, place) => `$${place + 1}::${typeName}[]`);
    const names = [key, ...columns].map(({ name }) => `"${name}"`);
    try {
      await session.run(
        `UPDATE "${table}" AS changed SET ${sets.join(', ')}
         FROM unnest(${arrays.join(', ')}) AS given(${names.join(', ')}) WHERE changed."${key.name}" = given."${key.name}"`,
        [key, ...columns].map(({ name }) => rows.map((row) => row[name] ?? null)),
      );
    } catch (error) {
      types.forget(table);
      throw error;
    }
  };
}

const SET: Readonly<Record<ColumnChange | 'become', (column: string) => string>> = {
  become: (column) => `given."${column}"`,
  add: (column) => `changed."${column}" + given."${column}"`,
  least: (column) => `least(changed."${column}", given."${column}")`,
  greatest: (column) => `greatest(changed."${column}", given."${column}")`,
};
