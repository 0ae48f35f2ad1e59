import type { NumberedTable } from '../schema/tables.ts';
import type { RecordHandle } from './hooks.ts';

/** Which of the rows there are, by ascending id; none of them is deleted before the transaction ends. */
export async function keepRows(
  { db, dialect }: RecordHandle,
  table: NumberedTable,
  rowIds: readonly number[],
): Promise<readonly number[]> {
  const wanted = dialect.numbersOf(rowIds);
  await dialect.lockRows(db, { table, rowIds: wanted, isShared: true });
  // A statement of its own: the lock may have waited for the row to go.
  const rows = await db.selectFrom(table).select('id').where('id', 'in', wanted).orderBy('id').execute();
  return rows.map(({ id }) => id);
}
