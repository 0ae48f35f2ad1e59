/** What deleting and moving has to do next, found out in a reader's thread: what is hidden only ever becomes less. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import { notePageDamage } from '../engine/damage.ts';
import { isDamage } from '../engine/storage-error.ts';
import { findJobLeavingItems } from '../jobs/job-items.ts';
import type { Tables } from '../schema/tables.ts';
import { type Deletion, DELETION_COLUMNS, hiddenProjectId, toDeletion } from './deletion.ts';

/** Rows that go in one transaction. */
export interface ErasePart {
  /** Spans of traces that have more of them. */
  readonly spanRowIds: readonly number[];
  /** Traces that go whole, with all their spans. */
  readonly wholeTraceRowIds: readonly number[];
  readonly wholeTraceSpanRowIds: readonly number[];
  readonly recordRowIds: readonly number[];
  /** Log records that stay, since they are shown with a trace of another project. */
  readonly strayRecords: readonly { readonly rowId: number; readonly projectRowId: number }[];
  readonly sessionRowIds: readonly number[];
  /** The first of the traces that these rows belong to; `null` where they belong to none. */
  readonly firstTraceRowId: number | null;
}

/** What is damaged, and left out for now. */
export interface LeftOutOfRemoval {
  readonly deletionRowIds: readonly number[];
  readonly traceRowIds: readonly number[];
}

const NOTHING_LEFT_OUT: LeftOutOfRemoval = { deletionRowIds: [], traceRowIds: [] };

/** What there is to do next. */
export type RemovalPlan =
  /** Spans have to follow their traces to another project. */
  | { readonly movedTraceRowIds: readonly [number, ...number[]] }
  /** Part of a deletion; `null` where nothing of it is left to erase. */
  | {
      readonly deletion: Deletion;
      readonly part: ErasePart | null;
      /** Whether the search index has yet to forget spans that are erased. */
      readonly isIndexed: boolean;
    }
  /** A job that is over and had yet to do something with rows, as one that was cancelled. */
  | { readonly jobLeavingItems: number };

const NOTHING: ErasePart = {
  spanRowIds: [],
  wholeTraceRowIds: [],
  wholeTraceSpanRowIds: [],
  recordRowIds: [],
  strayRecords: [],
  sessionRowIds: [],
  firstTraceRowId: null,
};

/**
 * The deletion to go on with: the one with the least to erase, those of whole projects last; none that a job is still hiding for.
 * Index: deletions_unfinished.
 */
async function findUnfinishedDeletion(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  leftOutRowIds: readonly number[],
): Promise<Deletion | undefined> {
  const row = await db
    .selectFrom('deletions')
    .select(DELETION_COLUMNS)
    .where('state', '<>', sql.lit('finished'))
    .where('id', 'not in', dialect.numbersOf(leftOutRowIds))
    .where((deletion) =>
      deletion.not(
        deletion.and([
          deletion('state', '=', 'hiding'),
          deletion.exists(
            deletion
              .selectFrom('jobs')
              .select('jobs.id')
              .whereRef('jobs.id', '=', 'deletions.job_id')
              .where('jobs.finished_at_us', 'is', null),
          ),
        ]),
      ),
    )
    .orderBy((deletion) => deletion('state', '=', 'shrinking'))
    .orderBy((deletion) => deletion('selection', 'is', null))
    .orderBy((deletion) => deletion('span_count', '-', deletion.ref('erased_span_count')))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && toDeletion(row);
}

/** Plans the next part, of at most so many spans; `undefined` where nothing is under way. */
export async function planRemoval(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  maxSpans: number,
  leftOut: LeftOutOfRemoval = NOTHING_LEFT_OUT,
): Promise<RemovalPlan | undefined> {
  const [movedTraceRowId, ...others] = await findMovedTraces(db, dialect, leftOut.traceRowIds);
  if (movedTraceRowId !== undefined) return { movedTraceRowIds: [movedTraceRowId, ...others] };
  const deletion = await findUnfinishedDeletion(db, dialect, leftOut.deletionRowIds);
  if (deletion === undefined) {
    const jobLeavingItems = await findJobLeavingItems(db);
    return jobLeavingItems === undefined ? undefined : { jobLeavingItems };
  }
  if (deletion.state === 'hiding') return { deletion, part: null, isIndexed: true };
  if (deletion.state === 'shrinking') return { deletion, part: null, isIndexed: await isAnyIndexed(db) };
  const projectId = hiddenProjectId(deletion);
  try {
    const part =
      (await planTraces(db, dialect, { projectId, maxSpans, leftOut: leftOut.traceRowIds })) ??
      (await planRecords(db, projectId)) ??
      (await planSessions(db, projectId));
    const isOnlyDamageLeft = part === null && leftOut.traceRowIds.length > 0 && (await hasTraces(db, projectId));
    if (!isOnlyDamageLeft) return { deletion, part, isIndexed: true };
  } catch (error) {
    if (!isDamage(error)) throw error;
    notePageDamage(`A part of the traces that deletion ${deletion.rowId} erases`, error);
  }
  // The next deletion does not wait for this one.
  const deletionRowIds = [...leftOut.deletionRowIds, deletion.rowId];
  return planRemoval(db, dialect, maxSpans, { ...leftOut, deletionRowIds });
}

async function hasTraces(db: Kysely<Tables>, projectId: number): Promise<boolean> {
  const traces = db.selectFrom('traces').select('id').where('project_id', '=', projectId).limit(1);
  return (await traces.executeTakeFirst()) !== undefined;
}

/** Whether the search index has not been told of a span that is gone. Index: the primary keys, along what waits. */
async function isAnyIndexed(db: Kysely<Tables>): Promise<boolean> {
  const row = await db
    .selectFrom('search_queue')
    .select('search_queue.id')
    .where((queued) =>
      queued.not(
        queued.exists(
          queued.selectFrom('spans').select('spans.id').whereRef('spans.id', '=', 'search_queue.span_row_id'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Traces whose spans have yet to follow them; the first is the same until they have. Index: traces_being_moved. */
async function findMovedTraces(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  leftOut: readonly number[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('unlisted_traces')
    .select('trace_row_id')
    .where('deletion_id', 'is', null)
    .where('trace_row_id', 'not in', dialect.numbersOf(leftOut))
    .orderBy('trace_row_id')
    .limit(MOVED_TRACES_A_PLAN)
    .execute();
  return rows.map((row) => row.trace_row_id);
}

const MOVED_TRACES_A_PLAN = 500;

/** Log records that go in one transaction: each has a row, and many have a block of their own. */
const RECORDS_A_PART = 200;

const SESSIONS_A_PART = 500;

/** Index: traces_by_start, spans_of_trace. */
async function planTraces(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  {
    projectId,
    maxSpans,
    leftOut,
  }: { readonly projectId: number; readonly maxSpans: number; readonly leftOut: readonly number[] },
): Promise<ErasePart | null> {
  const rows = await db
    .selectFrom('traces')
    .leftJoin('spans', 'spans.trace_row_id', 'traces.id')
    .select(['traces.id as traceRowId', 'traces.trace_id as traceId', 'spans.id as spanRowId'])
    .where('traces.project_id', '=', projectId)
    .where('traces.id', 'not in', dialect.numbersOf(leftOut))
    .orderBy('traces.start_us')
    .orderBy('traces.id')
    .limit(maxSpans + 1)
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const ofTraces = { ...NOTHING, firstTraceRowId: first.traceRowId };
  const looked = rows.slice(0, maxSpans);
  const next = rows[maxSpans]?.traceRowId;
  const whole = looked.filter(({ traceRowId }) => traceRowId !== next);
  const others = looked.filter(({ traceRowId }) => traceRowId === next);
  const wholeTraces = new Map(whole.map(({ traceRowId, traceId }) => [traceRowId, traceId]));
  const spanRowIds = others.flatMap((row) => row.spanRowId ?? []);
  const wholeTraceSpanRowIds = whole.flatMap((row) => row.spanRowId ?? []);
  const recordRowIds = await findRecords(
    db,
    dialect,
    [...spanRowIds, ...wholeTraceSpanRowIds],
    [...wholeTraces.values()],
  );
  // Spans go when their records are gone: the rest of the records would not be found without them.
  if (recordRowIds.length >= RECORDS_A_PART) return { ...ofTraces, recordRowIds };
  return { ...ofTraces, spanRowIds, wholeTraceRowIds: [...wholeTraces.keys()], wholeTraceSpanRowIds, recordRowIds };
}

/** Log records of the spans, and those of the traces that belong to no span. Index: log_records_of_span, log_records_waiting. */
async function findRecords(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
  traceIds: readonly string[],
): Promise<readonly number[]> {
  const attached = await db
    .selectFrom('log_records')
    .select('id')
    .where('span_row_id', 'in', dialect.numbersOf(spanRowIds))
    .limit(RECORDS_A_PART)
    .execute();
  const left = RECORDS_A_PART - attached.length;
  const unattached = await db
    .selectFrom('log_records')
    .select('id')
    .where('trace_id', 'in', dialect.textsOf(traceIds))
    .where('span_row_id', 'is', null)
    .limit(left)
    .execute();
  return [...attached, ...unattached].map((row) => row.id);
}

/** Log records of the project that belong to no span. Index: log_records_unattached, unique trace_id. */
async function planRecords(db: Kysely<Tables>, projectId: number): Promise<ErasePart | null> {
  const { rows } = await sql<{ readonly rowId: number; readonly projectRowId: number | null }>`
    SELECT record.id AS "rowId", projects.id AS "projectRowId" FROM log_records AS record
    LEFT JOIN traces ON traces.trace_id = record.trace_id
    LEFT JOIN projects ON projects.id = traces.project_id
    WHERE record.project_id = ${projectId} AND record.span_row_id IS NULL LIMIT ${RECORDS_A_PART}`.execute(db);
  if (rows.length === 0) return null;
  const strayRecords = rows.flatMap(({ rowId, projectRowId }) =>
    projectRowId === null ? [] : [{ rowId, projectRowId }],
  );
  const recordRowIds = rows.filter(({ projectRowId }) => projectRowId === null).map(({ rowId }) => rowId);
  return { ...NOTHING, recordRowIds, strayRecords };
}

/** Index: sessions_by_arrival. */
async function planSessions(db: Kysely<Tables>, projectId: number): Promise<ErasePart | null> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('project_id', '=', projectId)
    .limit(SESSIONS_A_PART)
    .execute();
  return rows.length === 0 ? null : { ...NOTHING, sessionRowIds: rows.map((row) => row.id) };
}
