/** Changes many rows, each by one statement that stays prepared: a statement for all of them would have to take them apart. */
import type { ColumnValue } from '../schema/column-value.ts';
import type { BulkUpdate, ColumnChange } from '../schema/statements.ts';
import type { SqliteConnection } from './connection.ts';

/** Rows by their keys, in the order given. */
export function bulkUpdateOnSqlite(connection: SqliteConnection): BulkUpdate {
  return async (table, rows, changes = {}) => {
    const [first] = rows;
    if (first === undefined) return;
    const [key, ...columns] = Object.keys(first);
    const sets = columns.map((column) => `"${column}" = ${SET[changes[column] ?? 'become'](`"${column}"`)}`);
    const statement = connection.prepare(`UPDATE "${table}" SET ${sets.join(', ')} WHERE "${key}" = ?`);
    for (const row of rows) {
      const [keyValue, ...values] = Object.values(row);
      values.push(keyValue as ColumnValue);
      statement.run(values);
    }
  };
}

const SET: Readonly<Record<ColumnChange | 'become', (column: string) => string>> = {
  become: () => '?',
  add: (column) => `${column} + ?`,
  least: (column) => `min(${column}, ?)`,
  greatest: (column) => `max(${column}, ?)`,
};
