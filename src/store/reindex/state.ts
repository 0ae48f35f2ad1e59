/**
 * By which rules stored spans were read, and how far reading them anew has come. Row ids ascend in order of arrival, so a
 * row id tells the rules of every span before it, and no row carries a number of its own.
 */
import type { Kysely } from 'kysely';
import { NORMALIZER_VERSION } from '#normalize/version';
import type { Tables } from '../schema/tables.ts';

/** A pass over all spans that were stored when it began. Times are in microseconds since the Unix epoch. */
export interface ReindexJob {
  /** The rules that it applies. */
  readonly version: number;
  readonly firstRowId: number;
  /** Exclusive. */
  readonly endRowId: number;
  /** Spans before it are done. */
  readonly nextRowId: number;
  readonly readCount: number;
  /** Spans that today's rules read otherwise than they were stored. */
  readonly changedCount: number;
  /** Spans that could not be read, and stay as they were. */
  readonly failedCount: number;
  readonly startedAtUs: number;
  /** `null` while it is under way. */
  readonly finishedAtUs: number | null;
}

/** What is known at a start. */
export interface ReindexState {
  /** Whether some spans were read by other rules than today's. */
  readonly isStale: boolean;
  /** The last pass; `null` before the first. */
  readonly job: ReindexJob | null;
}

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
    job:
      row === undefined
        ? null
        : {
            version: row.version,
            firstRowId: row.first_span_row_id,
            endRowId: row.end_span_row_id,
            nextRowId: row.next_span_row_id,
            readCount: row.read_count,
            changedCount: row.changed_count,
            failedCount: row.failed_count,
            startedAtUs: row.started_at_us,
            finishedAtUs: row.finished_at_us,
          },
  };
}

/** A pass over everything that is stored now. */
export async function newReindexJob(db: Kysely<Tables>, nowUs: number): Promise<ReindexJob> {
  const endRowId = await readNextSpanRowId(db);
  const first = await db.selectFrom('spans').select('id').orderBy('id').limit(1).executeTakeFirst();
  const firstRowId = first?.id ?? endRowId;
  return {
    version: NORMALIZER_VERSION,
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

/** Saves how far a pass has come; one that is finished leaves no span that was read by other rules. */
export async function saveReindexJob(db: Kysely<Tables>, job: ReindexJob): Promise<void> {
  const row = {
    id: 1,
    version: job.version,
    first_span_row_id: job.firstRowId,
    end_span_row_id: job.endRowId,
    next_span_row_id: job.nextRowId,
    read_count: job.readCount,
    changed_count: job.changedCount,
    failed_count: job.failedCount,
    started_at_us: job.startedAtUs,
    finished_at_us: job.finishedAtUs,
  };
  await db
    .insertInto('reindex_job')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  if (job.finishedAtUs !== null) {
    await db
      .deleteFrom('normalizer_versions')
      .where('version', '!=', job.version)
      .where('from_span_row_id', '<=', job.endRowId)
      .execute();
  }
}

async function readNextSpanRowId(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('row_ids')
    .select('next_id')
    .where('table_name', '=', 'spans')
    .executeTakeFirstOrThrow();
  return row.next_id;
}
