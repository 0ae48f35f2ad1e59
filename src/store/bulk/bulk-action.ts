/** What is done to many rows of a table at once: what was asked for, and how far it has come. */
import type { Job, JobResult, JobState } from '../jobs/job.ts';
import type { Place } from '../query/place.ts';
import type { TimeBounds } from '../spans/browse-port.ts';

/** Of what the rows are. */
export type BulkRows = 'span' | 'trace' | 'session';

/** What becomes of them. */
export type BulkKind = 'delete' | 'move';

/** All rows of a project that match. Filters are texts of the filter language that were read without an error. */
export interface BulkMatch extends TimeBounds {
  /** Of the rows; `null` for none. */
  readonly filter: string | null;
  /** Of the traces that spans are of. */
  readonly traceFilter: string | null;
  /** Of spans, only those that name no parent. */
  readonly rootsOnly: boolean;
  /** Not these, though. */
  readonly exceptRowIds: readonly number[];
}

/** What somebody asks for. */
export interface BulkRequest {
  readonly projectRowId: number;
  readonly rows: BulkRows;
  /** Which: by their row ids, or all that match. */
  readonly chosen: { readonly rowIds: readonly number[] } | { readonly matching: BulkMatch };
}

/** What a job keeps of it. Rows with these ids and after them had not arrived when it was asked for. */
export interface BulkInput {
  readonly kind: BulkKind;
  readonly rows: BulkRows;
  readonly toProjectRowId: number | null;
  /** `null` where the rows were named. */
  readonly matching: BulkMatch | null;
  readonly below: BulkBounds;
}

/** The first row ids that are no part of it. */
export type BulkBounds = Readonly<Record<BulkRows, number>>;

/** How far a job is. */
export interface BulkProgress {
  /** Rows that match are noted first, then something is done to them. */
  readonly phase: 'noting' | 'acting';
  /** After which place the noting goes on. */
  readonly after: Place | null;
  readonly notedCount: number;
  readonly doneCount: number;
  readonly goneCount: number;
  readonly refusedCount: number;
}

/** What became of rows. */
export interface BulkCounts {
  readonly doneCount: number;
  /** No longer there, or no longer in the project. */
  readonly goneCount: number;
  /** Could not be changed, and stay as they are. */
  readonly refusedCount: number;
}

/** A bulk action as people see it. Times are in microseconds since the Unix epoch. */
export interface BulkAction extends BulkCounts {
  readonly rowId: number;
  readonly kind: BulkKind;
  readonly rows: BulkRows;
  readonly projectRowId: number;
  readonly toProjectRowId: number | null;
  readonly state: JobState;
  readonly notedCount: number;
  /** `null` while the rows are noted. */
  readonly totalCount: number | null;
  readonly error: string | null;
  readonly startedAtUs: number;
  readonly finishedAtUs: number | null;
}

/** The job of a bulk action. */
export type BulkJob = Job<BulkInput, BulkProgress>;

/** The action that a job does, or did. */
export function toBulkAction({ id, projectRowId, input, progress, ...job }: BulkJob): BulkAction {
  const { phase, after: _after, ...counts } = progress;
  return {
    rowId: id,
    kind: input.kind,
    rows: input.rows,
    projectRowId: projectRowId ?? 0,
    toProjectRowId: input.toProjectRowId,
    state: job.state,
    ...counts,
    totalCount: phase === 'noting' ? null : counts.notedCount,
    error: job.error,
    startedAtUs: job.startedAtUs,
    finishedAtUs: job.finishedAtUs,
  };
}

/** What an action came to, as jobs say it. */
export function toResult({ doneCount, goneCount, refusedCount }: BulkCounts): JobResult {
  return { done: doneCount, skipped: goneCount, failed: refusedCount };
}

/** What it came to, for the log of who did what. */
export function describeCounts({ rows }: { readonly rows: BulkRows }, counts: BulkCounts): readonly string[] {
  const { doneCount, goneCount, refusedCount } = counts;
  return [`${rows}s: ${doneCount}`, `gone: ${goneCount}`, `refused: ${refusedCount}`];
}
