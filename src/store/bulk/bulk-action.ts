/** What is done to many rows of a table at once: what was asked for, and how far it has come. */
import type { AuthoredAnnotation, SaidAnnotation } from '#domain/annotation';
import type { Job, JobResult, JobState } from '../jobs/job.ts';
import type { Place } from '../query/place.ts';
import type { TimeBounds } from '../spans/browse-port.ts';

/** Of what the rows are. */
export type BulkRows = 'span' | 'trace' | 'session';

/** What becomes of them, with what it takes. */
export type BulkDeed =
  | { readonly kind: 'delete' }
  | { readonly kind: 'move'; readonly toProjectRowId: number }
  | { readonly kind: 'annotate'; readonly said: AuthoredAnnotation }
  | {
      readonly kind: 'queue';
      readonly queueRowId: number;
      /** `null` for all rows. */
      readonly sample: BulkSample | null;
      /** The account that adds them; `null` for callers without one. */
      readonly addedByRowId: number | null;
    };

/** In one word. */
export type BulkKind = BulkDeed['kind'];

/** Some of the rows, by chance: a share of them, or so many. */
export type BulkSample = { readonly percent: number } | { readonly count: number };

/** What is wrong with a sample, for its sender to read; `null` where nothing is. */
export function faultOfSample(sample: BulkSample): string | null {
  if ('percent' in sample) {
    const isShare = sample.percent > 0 && sample.percent <= 100;
    return isShare ? null : 'The percentage of a sample must be above 0, and 100 at most.';
  }
  return Number.isSafeInteger(sample.count) && sample.count > 0
    ? null
    : 'The number of rows of a sample must be a whole number above 0.';
}

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

/** Rows to be moved, and where to. */
export interface MoveRequest extends BulkRequest {
  readonly toProjectRowId: number;
}

/** Rows to be annotated, and what is said of them. */
export interface AnnotateRequest extends BulkRequest {
  readonly said: SaidAnnotation;
}

/** Rows to be added to a queue, or by chance some of them. */
export interface QueueRequest extends BulkRequest {
  readonly queueRowId: number;
  readonly sample: BulkSample | null;
}

/** What a job keeps of it. Rows with these ids and after them had not arrived when it was asked for. */
export type BulkInput = BulkDeed & {
  readonly rows: BulkRows;
  /** `null` where the rows were named. */
  readonly matching: BulkMatch | null;
  readonly below: BulkBounds;
};

/** The first row ids that are no part of it. */
export type BulkBounds = Readonly<Record<BulkRows, number>>;

/** How far a job is. */
export interface BulkProgress {
  /** Rows that match are noted first; where so many are wanted, all others are taken out again; then something is done to them. */
  readonly phase: 'noting' | 'sampling' | 'acting';
  /** After which place the noting goes on. */
  readonly after: Place | null;
  /** How far the sampling is; absent before it. */
  readonly sampled?: SampledRows;
  readonly notedCount: number;
  readonly doneCount: number;
  readonly goneCount: number;
  readonly refusedCount: number;
}

/** The last rank that is wanted, and the row up to which all others are taken out. */
export interface SampledRows {
  readonly lastRank: number;
  readonly afterRowId: number;
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
  /** Of a move. */
  readonly toProjectRowId: number | null;
  /** What rows are annotated with. */
  readonly annotationName: string | null;
  /** The queue that rows are added to. */
  readonly queueRowId: number | null;
  readonly state: JobState;
  readonly notedCount: number;
  /** `null` until it is known which rows it is about. */
  readonly totalCount: number | null;
  readonly error: string | null;
  readonly startedAtUs: number;
  readonly finishedAtUs: number | null;
}

/** The job of a bulk action. */
export type BulkJob = Job<BulkInput, BulkProgress>;

/** The action that a job does, or did. */
export function toBulkAction({ id, projectRowId, input, progress, ...job }: BulkJob): BulkAction {
  const { phase, after: _after, sampled: _sampled, ...counts } = progress;
  return {
    rowId: id,
    kind: input.kind,
    rows: input.rows,
    projectRowId: projectRowId ?? 0,
    toProjectRowId: input.kind === 'move' ? input.toProjectRowId : null,
    annotationName: input.kind === 'annotate' ? input.said.name : null,
    queueRowId: input.kind === 'queue' ? input.queueRowId : null,
    state: job.state,
    ...counts,
    totalCount: phase === 'acting' ? counts.notedCount : null,
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
