/**
 * By which rules stored spans were read, and how far reading them anew has come. Row ids ascend in order of arrival, so a
 * row id tells the rules of every span before it, and no row carries a number of its own.
 */
import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely';
import { NORMALIZER_VERSION } from '#normalize/version';
import type { ReindexJobTable, Tables } from '../schema/tables.ts';
import type { PassJob, PassState } from './reindexer.ts';

/** A pass over all spans that were stored when it began. */
export interface ReindexJob extends PassJob {
  /** The rules that it applies. */
  readonly version: number;
}

/** What is known of reading anew. */
export type ReindexState = PassState<ReindexJob>;

/** Notes that spans are read by today's rules from now on. To be called before the first of them is stored. */
export async function noteRules(db: Kysely<Tables>): Promise<void> {
  const last = await db
    .selectFrom('normalizer_versions')
    .selectAll()
    .orderBy('from_span_row_id', 'desc')
    .executeTakeFirst();
  if (last?.version === NORMALIZER_VERSION) return;
  const from_span_row_id = await readNextSpanRowId(db);
  const row = { from_span_row_id, version: NORMALIZER_VERSION };
  await db
    .insertInto('normalizer_versions')
    .values(row)
    .onConflict((conflict) => conflict.column('from_span_row_id').doUpdateSet(row))
    .execute();
}

/** The state as it was last saved. */
export async function loadReindexState(db: Kysely<Tables>): Promise<ReindexState> {
  const versions = await db.selectFrom('normalizer_versions').select('version').execute();
  const row = await db.selectFrom('reindex_job').selectAll().executeTakeFirst();
  return {
    isStale: versions.some(({ version }) => version !== NORMALIZER_VERSION),
    job: row === undefined ? null : { version: row.version, ...toPassJob(row) },
  };
}

/** How far a pass has come, as a row has it. */
export type PassColumns = Omit<ReindexJobTable, 'id' | 'version'>;

/** Reads how far a pass has come. */
export function toPassJob(row: PassColumns): PassJob {
  return {
    firstRowId: row.first_span_row_id,
    endRowId: row.end_span_row_id,
    nextRowId: row.next_span_row_id,
    readCount: row.read_count,
    changedCount: row.changed_count,
    failedCount: row.failed_count,
    startedAtUs: row.started_at_us,
    finishedAtUs: row.finished_at_us,
  };
}

/** The columns of how far a pass has come. */
export function toPassColumns(job: PassJob): PassColumns {
  return {
    first_span_row_id: job.firstRowId,
    end_span_row_id: job.endRowId,
    next_span_row_id: job.nextRowId,
    read_count: job.readCount,
    changed_count: job.changedCount,
    failed_count: job.failedCount,
    started_at_us: job.startedAtUs,
    finished_at_us: job.finishedAtUs,
  };
}

/** A pass over everything that is stored now. */
export async function newReindexJob(db: Kysely<Tables>, nowUs: number): Promise<ReindexJob> {
  return { version: NORMALIZER_VERSION, ...(await newPass(db, nowUs)) };
}

/** One that has not begun. */
export async function newPass(db: Kysely<Tables>, nowUs: number): Promise<PassJob> {
  const endRowId = await readNextSpanRowId(db);
  const first = await db.selectFrom('spans').select('id').orderBy('id').limit(1).executeTakeFirst();
  const firstRowId = first?.id ?? endRowId;
  return {
    firstRowId,
    endRowId,
    nextRowId: firstRowId,
    readCount: 0,
    changedCount: 0,
    failedCount: 0,
    startedAtUs: nowUs,
    finishedAtUs: null,
  };
}

/** Begins a pass, or joins the one that is under way. */
export async function beginReindex(db: Kysely<Tables>, nowUs: number): Promise<ReindexJob> {
  const { job } = await loadReindexState(db);
  if (job !== null && job.finishedAtUs === null) return job;
  const begun = await newReindexJob(db, nowUs);
  const row = { id: 1, version: begun.version, ...toPassColumns(begun) };
  await db
    .insertInto('reindex_job')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  return begun;
}

/** Whether the saved pass is that one, as far as it was: the row of a table of passes. */
export function isPassAt({ startedAtUs, nextRowId }: PassJob): RawBuilder<SqlBool> {
  return sql`started_at_us = ${startedAtUs} AND next_span_row_id = ${nextRowId} AND finished_at_us IS NULL`;
}

/**
 * Saves how far a pass has come, if it was as far as `before`; says whether it was. One that is finished leaves no span that
 * was read by other rules.
 */
export async function advanceReindex(db: Kysely<Tables>, before: ReindexJob, job: ReindexJob): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reindex_job')
    .set({ version: job.version, ...toPassColumns(job) })
    .where(isPassAt(before))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (job.finishedAtUs !== null) {
    await db
      .deleteFrom('normalizer_versions')
      .where('version', '!=', job.version)
      .where('from_span_row_id', '<=', job.endRowId)
      .execute();
  }
  return true;
}

async function readNextSpanRowId(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('row_ids')
    .select('next_id')
    .where('table_name', '=', 'spans')
    .executeTakeFirstOrThrow();
  return row.next_id;
}
