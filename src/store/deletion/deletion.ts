/** What is taken away from a project: which traces, why, and how far that has come. */
import type { Tables } from '../schema/tables.ts';

/** A place in the order of traces: by start, then by arrival. Microseconds since the Unix epoch. */
export interface TracePlace {
  readonly startTimeUs: number;
  readonly rowId: number;
}

/** Traces that start in a stretch of time and had arrived when it was chosen; `null` for an end that is open. */
export interface TraceStretch {
  /** Inclusive. */
  readonly startTimeUs: number | null;
  /** The first place after it. */
  readonly before: TracePlace | null;
}

/** Which traces of a project: some by their rows, those of some sessions, or a stretch of time. */
export type TraceSelection =
  | { readonly traceRowIds: readonly number[] }
  | { readonly sessionRowIds: readonly number[] }
  | TraceStretch;

/** Who wants it. */
export type DeletionReason = Tables['deletions']['reason'];

/** Something that is, or was, taken away. Times are in microseconds since the Unix epoch. */
export interface Deletion {
  readonly rowId: number;
  readonly projectRowId: number;
  readonly projectName: string;
  readonly reason: DeletionReason;
  readonly policyRowId: number | null;
  /** `null` for the whole project. */
  readonly selection: StoredSelection | null;
  readonly state: Tables['deletions']['state'];
  /** What it took away; of a whole project what was erased so far. */
  readonly traceCount: number;
  readonly spanCount: number;
  readonly erasedSpanCount: number;
  readonly startedAtUs: number;
  /** From when on nothing of it could be found; `null` while it is being hidden. */
  readonly hiddenAtUs: number | null;
  readonly finishedAtUs: number | null;
}

/** A selection that later arrivals are not part of: only traces with a lower row id are. */
export type StoredSelection = TraceSelection & { readonly belowRowId: number };

/** A deletion to be begun. */
export interface DeletionRequest {
  readonly projectRowId: number;
  readonly selection: TraceSelection;
  readonly reason: DeletionReason;
  readonly policyRowId: number | null;
}

/**
 * The project id of the traces that a deletion hid. There is no project of it: that is how everybody who finds a trace
 * knows that it is gone. A project that is deleted whole leaves its own; ids of projects are never used again.
 */
export function hiddenProjectId({ rowId, projectRowId, selection }: Deletion): number {
  return selection === null ? projectRowId : -rowId;
}

/** The columns of a {@link Deletion}. */
export const DELETION_COLUMNS = [
  'id as rowId',
  'project_id as projectRowId',
  'project_name as projectName',
  'reason',
  'policy_id as policyRowId',
  'selection',
  'state',
  'trace_count as traceCount',
  'span_count as spanCount',
  'erased_span_count as erasedSpanCount',
  'started_at_us as startedAtUs',
  'hidden_at_us as hiddenAtUs',
  'finished_at_us as finishedAtUs',
] as const;

/** The deletion of a row of {@link DELETION_COLUMNS}. */
export function toDeletion(row: Omit<Deletion, 'selection'> & { readonly selection: string | null }): Deletion {
  return { ...row, selection: row.selection === null ? null : (JSON.parse(row.selection) as StoredSelection) };
}
