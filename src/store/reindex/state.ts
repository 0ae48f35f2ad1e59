/**
 * By which rules stored spans were read, and how far reading them again has come. Row ids ascend in order of arrival, so a
 * row id tells the rules of every span before it, and no row carries a number of its own.
 */
import type { Kysely } from 'kysely';
import { NORMALIZER_VERSION } from '#normalize/version';
import type { Job } from '../jobs/job.ts';
import { advanceJob, beginJob, findLastJob } from '../jobs/job-rows.ts';
import type { Tables } from '../schema/tables.ts';
import type { PassJob, PassProgress, PassState } from './pass-job.ts';

/** A pass over all spans that were stored when it began. */
export interface ReindexJob extends PassJob {
  /** The rules that it applies. */
  readonly version: number;
}

/** What is known of reading spans again. */
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

/** Notes, where the table is empty, that stored spans were read by rules that nobody knows any more, and later ones are by today's. */
export async function forgetRules(db: Kysely<Tables>): Promise<void> {
  await db.insertInto('normalizer_versions').values({ from_span_row_id: 0, version: UNKNOWN_RULES }).execute();
  await noteRules(db);
}

/** No version of them has this number. */
const UNKNOWN_RULES = 0;

/** The state as it was last saved. */
export async function loadReindexState(db: Kysely<Tables>): Promise<ReindexState> {
  const versions = await db.selectFrom('normalizer_versions').select('version').execute();
  const job = await findLastJob<ReindexInput, PassProgress>(db, 'reindex');
  return {
    isStale: versions.some(({ version }) => version !== NORMALIZER_VERSION),
    job: job === undefined ? null : toReindexJob(job),
  };
}

interface ReindexInput {
  readonly version: number;
}

function toReindexJob(job: Job<ReindexInput, PassProgress>): ReindexJob {
  return { version: job.input.version, ...toPassJob(job) };
}

/** A pass, as its job has it. */
export function toPassJob({ id, progress, state, startedAtUs, finishedAtUs }: Job<unknown, PassProgress>): PassJob {
  return { jobId: id, ...progress, startedAtUs, finishedAtUs, isPaused: state === 'paused' };
}

/** A pass over everything that is stored now, in place of one that was interrupted. */
export async function renewReindexJob(db: Kysely<Tables>, interrupted: ReindexJob): Promise<ReindexJob> {
  return { ...interrupted, version: NORMALIZER_VERSION, ...(await newPass(db)) };
}

/** One that has not begun. */
export async function newPass(db: Kysely<Tables>): Promise<PassProgress> {
  const endRowId = await readNextSpanRowId(db);
  const first = await db.selectFrom('spans').select('id').orderBy('id').limit(1).executeTakeFirst();
  const firstRowId = first?.id ?? endRowId;
  return { firstRowId, endRowId, nextRowId: firstRowId, readCount: 0, changedCount: 0, failedCount: 0 };
}

/** Begins a pass, or joins the one that is under way. */
export async function beginReindex(db: Kysely<Tables>, nowUs: number): Promise<ReindexJob> {
  const input = { version: NORMALIZER_VERSION };
  return toReindexJob(await beginJob(db, { kind: 'reindex', input, progress: await newPass(db), nowUs }));
}

/**
 * Saves how far a pass has come, if it was as far as `before`; says whether it was. One that is finished leaves no span that
 * was read by other rules.
 */
export async function advanceReindex(db: Kysely<Tables>, before: ReindexJob, job: ReindexJob): Promise<boolean> {
  if (!(await advancePass(db, before, job, { version: job.version }))) return false;
  if (job.finishedAtUs !== null) {
    await db
      .deleteFrom('normalizer_versions')
      .where('version', '!=', job.version)
      .where('from_span_row_id', '<=', job.endRowId)
      .execute();
  }
  return true;
}

/** Saves how far any pass has come. */
export function advancePass(
  db: Kysely<Tables>,
  before: PassJob,
  after: PassJob,
  input: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { readCount, changedCount, failedCount, finishedAtUs } = after;
  const result = { done: changedCount, skipped: readCount - changedCount - failedCount, failed: failedCount };
  return advanceJob(db, before.jobId, progressIn(before), {
    input,
    progress: progressIn(after),
    spent: { spans: readCount - before.readCount },
    ...(finishedAtUs !== null && { end: { result, nowUs: finishedAtUs } }),
  });
}

function progressIn(job: PassJob): PassProgress {
  const { firstRowId, endRowId, nextRowId, readCount, changedCount, failedCount } = job;
  return { firstRowId, endRowId, nextRowId, readCount, changedCount, failedCount };
}

async function readNextSpanRowId(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('row_ids')
    .select('next_id')
    .where('table_name', '=', 'spans')
    .executeTakeFirstOrThrow();
  return row.next_id;
}
