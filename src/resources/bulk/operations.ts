/** What people ask of bulk actions, in the words of either interface. */
import { UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { type GlobalIdType, parseGlobalId } from '#base/global-id';
import type { Caller } from '#domain/caller';
import {
  type BulkAction,
  type BulkJob,
  type BulkMatch,
  type BulkRequest,
  type BulkRows,
  toBulkAction,
} from '#store/bulk/bulk-action';
import { findJobs, listJobsOfProject } from '#store/jobs/job-rows';
import { readFilter } from '../filters/operations.ts';
import type { ReadHandle, Services } from '../slice.ts';

/** Ids that one action names at most. */
export const MAX_IDS = 10_000;

/** Actions that a list holds at most. */
export const MAX_LISTED = 100;

/** Rows as somebody names them: either of the two. */
export interface Selection {
  readonly projectRowId: number;
  readonly rows: BulkRows;
  readonly ids?: readonly string[] | null | undefined;
  readonly matching?: SelectionMatch | null | undefined;
}

/** All rows that match. */
export interface SelectionMatch {
  readonly startTimeUs?: number | undefined;
  readonly endTimeUs?: number | undefined;
  readonly filter?: string | null | undefined;
  readonly traceFilter?: string | null | undefined;
  readonly rootsOnly?: boolean | null | undefined;
  readonly exceptIds?: readonly string[] | null | undefined;
}

/** The commands, and the signal that wakes the job after each of them. */
export interface BulkParts {
  readonly commands: {
    delete(caller: Caller, request: BulkRequest): Promise<BulkAction>;
    move(caller: Caller, request: BulkRequest & { readonly toProjectRowId: number }): Promise<BulkAction>;
    cancel(
      caller: Caller,
      action: { readonly rowId: number; readonly projectRowId?: number | undefined },
    ): Promise<BulkAction>;
  };
  readonly bulkActions: Services['bulkActions'];
}

/** Deletes the rows, or begins to. @throws AppError `invalid_argument`, `not_found`, `resource_exhausted` */
export async function deleteRows(caller: Caller, parts: BulkParts, selection: Selection): Promise<BulkAction> {
  const action = await parts.commands.delete(caller, toRequest(selection));
  parts.bulkActions(caller).changed();
  return action;
}

/** Moves the rows to another project, or begins to. @throws AppError `invalid_argument`, `not_found`, `resource_exhausted` */
export async function moveRows(
  caller: Caller,
  parts: BulkParts,
  selection: Selection,
  toProjectRowId: number,
): Promise<BulkAction> {
  const action = await parts.commands.move(caller, { ...toRequest(selection), toProjectRowId });
  parts.bulkActions(caller).changed();
  return action;
}

/** Ends an action where it is. @throws AppError `not_found`, `failed_precondition` */
export async function cancelAction(
  caller: Caller,
  parts: BulkParts,
  rowId: number,
  projectRowId?: number,
): Promise<BulkAction> {
  const action = await parts.commands.cancel(caller, { rowId, projectRowId });
  parts.bulkActions(caller).changed();
  return action;
}

/** Actions by row id. */
export async function findActions(
  read: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, BulkAction>> {
  const jobs: readonly BulkJob[] = await findJobs(read, 'bulk', rowIds);
  return new Map(jobs.map((job) => [job.id, toBulkAction(job)]));
}

/** The last actions of a project, the latest first; on demand only those under way. */
export async function listActions(
  read: ReadHandle,
  projectRowId: number,
  options: { readonly limit: number; readonly isUnfinished: boolean },
): Promise<readonly BulkAction[]> {
  const jobs: readonly BulkJob[] = await listJobsOfProject(read, { kind: 'bulk', projectRowId }, options);
  return jobs.map(toBulkAction);
}

function toRequest({ projectRowId, rows, ids, matching }: Selection): BulkRequest {
  if (ids != null && matching == null) {
    if (ids.length === 0) throw new UnprocessableError('Name at least one row.');
    return { projectRowId, rows, chosen: { rowIds: toRowIds(rows, ids) } };
  }
  if (matching == null || ids != null) throw new UnprocessableError('Give either ids or what matches.');
  return { projectRowId, rows, chosen: { matching: toMatch(rows, matching) } };
}

/** A filter with a mistake is refused now, not when the job comes to it. */
function toMatch(rows: BulkRows, { filter, traceFilter, rootsOnly, exceptIds, ...bounds }: SelectionMatch): BulkMatch {
  if (rows !== 'span' && (traceFilter != null || rootsOnly === true)) {
    throw new UnprocessableError('Only spans can be narrowed by their traces, or to root spans.');
  }
  readFilter(rows, filter);
  readFilter('trace', traceFilter);
  return {
    ...bounds,
    filter: filter ?? null,
    traceFilter: traceFilter ?? null,
    rootsOnly: rootsOnly ?? false,
    exceptRowIds: toRowIds(rows, exceptIds ?? []),
  };
}

const TYPES = { span: 'Span', trace: 'Trace', session: 'ProjectSession' } as const satisfies Record<
  BulkRows,
  GlobalIdType
>;

function toRowIds(rows: BulkRows, ids: readonly string[]): readonly number[] {
  if (ids.length > MAX_IDS) throw new UnprocessableError(`At most ${MAX_IDS} ids can be given at once.`);
  return ids.map((id) => {
    const rowId = parseGlobalId(TYPES[rows], id);
    if (rowId === undefined) throw new AppError('invalid_argument', `This is not the id of a ${TYPES[rows]}.`);
    return rowId;
  });
}
