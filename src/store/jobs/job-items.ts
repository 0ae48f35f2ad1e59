/** The rows that a job has yet to do something with. */
import { type Kysely, sql } from 'kysely';
import type { QueryScope } from '../queries/prepared-query.ts';
import type { Tables } from '../schema/tables.ts';

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

/** The next of them after a row, in their order. Index: the primary key. */
export async function readItems(
  { db }: Pick<QueryScope, 'db'>,
  jobId: number,
  limit: number,
  afterRowId = 0,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('job_items')
    .select('row_id')
    .where('job_id', '=', jobId)
    .where('row_id', '>', afterRowId)
    .orderBy('row_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.row_id);
}

/** Takes rows out. Index: the primary key. */
export async function removeItems(
  { db, dialect }: Pick<QueryScope, 'db' | 'dialect'>,
  jobId: number,
  rowIds: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('job_items')
    .where('job_id', '=', jobId)
    .where('row_id', 'in', dialect.numbersOf(rowIds))
    .execute();
}

/** Takes out the first of the rows that are left, as many as one transaction may, and returns how many these are. Index: the primary key. */
export async function removeSomeItems({ db }: Pick<QueryScope, 'db'>, jobId: number): Promise<number> {
  const last = await db
    .selectFrom('job_items')
    .select('row_id')
    .where('job_id', '=', jobId)
    .orderBy('row_id')
    .offset(ITEMS_A_TRANSACTION - 1)
    .limit(1)
    .executeTakeFirst();
  const { numDeletedRows } = await db
    .deleteFrom('job_items')
    .where('job_id', '=', jobId)
    .where('row_id', '<=', last?.row_id ?? Number.MAX_SAFE_INTEGER)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const ITEMS_A_TRANSACTION = 5000;

/** A job that is over and has rows still, as one that was cancelled; `undefined` where there is none. Index: the primary keys. */
export async function findJobLeavingItems(db: Kysely<Tables>): Promise<number | undefined> {
  let after = 0;
  for (;;) {
    const { jobId } = await db
      .selectFrom('job_items')
      .select((row) => row.fn.min<number | null>('job_id').as('jobId'))
      .where('job_id', '>', after)
      .executeTakeFirstOrThrow();
    if (jobId === null) return undefined;
    const job = await db.selectFrom('jobs').select('finished_at_us').where('id', '=', jobId).executeTakeFirst();
    if (job?.finished_at_us !== null) return jobId;
    after = jobId;
  }
}
