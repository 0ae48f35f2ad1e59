/** The rows that a bulk action has yet to do something with. */
import { sql } from 'kysely';
import type { QueryScope } from '../queries/prepared-query.ts';

/** Adds rows; returns how many of them were not there. Index: the primary key. */
export async function addItems(
  { db, dialect }: Pick<QueryScope, 'db' | 'dialect'>,
  jobId: number,
  rowIds: readonly number[],
): Promise<number> {
  if (rowIds.length === 0) return 0;
  const { numAffectedRows } = await sql`INSERT INTO job_items (job_id, row_id)
    SELECT ${sql.lit(jobId)}, item.value FROM ${dialect.numbersOf(rowIds)} AS item WHERE true
    ON CONFLICT (job_id, row_id) DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The next of them, in their order. Index: the primary key. */
export async function readItems(
  { db }: Pick<QueryScope, 'db'>,
  jobId: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('job_items')
    .select('row_id')
    .where('job_id', '=', jobId)
    .orderBy('row_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.row_id);
}

/** Takes rows out: these, or all that are left; returns how many there were. Index: the primary key. */
export async function removeItems(
  { db, dialect }: Pick<QueryScope, 'db' | 'dialect'>,
  jobId: number,
  rowIds?: readonly number[],
): Promise<number> {
  let query = db.deleteFrom('job_items').where('job_id', '=', jobId);
  if (rowIds !== undefined) query = query.where('row_id', 'in', dialect.numbersOf(rowIds));
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
