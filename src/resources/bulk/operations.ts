/** What people ask of bulk actions, in the words of either interface. */
import { UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { type GlobalIdType, parseGlobalId } from '#base/global-id';
import { NOTE_NAME, type SaidAnnotation } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import {
  type AnnotateRequest,
  type BulkAction,
  type BulkJob,
  type BulkMatch,
  type BulkRequest,
  type BulkRows,
  type BulkSample,
  type MoveRequest,
  type QueueRequest,
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
    move(caller: Caller, request: MoveRequest): Promise<BulkAction>;
    annotate(caller: Caller, request: AnnotateRequest): Promise<BulkAction>;
    queue(caller: Caller, request: QueueRequest): Promise<BulkAction>;
    cancel(
      caller: Caller,
      action: { readonly rowId: number; readonly projectRowId?: number | undefined },
    ): Promise<BulkAction>;
  };
  readonly bulkActions: Services['bulkActions'];
}

/** Deletes the rows, or begins to. @throws AppError `invalid_argument`, `not_found`, `resource_exhausted` */
export function deleteRows(caller: Caller, parts: BulkParts, selection: Selection): Promise<BulkAction> {
  return tellOf(caller, parts, parts.commands.delete(caller, toRequest(selection)));
}

/** Moves the rows to another project, or begins to. @throws AppError `invalid_argument`, `not_found`, `resource_exhausted` */
export function moveRows(
  caller: Caller,
  parts: BulkParts,
  selection: Selection,
  toProjectRowId: number,
): Promise<BulkAction> {
  return tellOf(caller, parts, parts.commands.move(caller, { ...toRequest(selection), toProjectRowId }));
}

/** @throws AppError `invalid_argument` for the name of notes */
export function refuseNote(name: string): void {
  if (name.trim() !== NOTE_NAME) return;
  throw new AppError('invalid_argument', `The name ${NOTE_NAME} is reserved for notes, which are added one by one.`);
}

/** Annotates the rows, or begins to. @throws AppError `invalid_argument`, `not_found`, `resource_exhausted` */
export function annotateRows(
  caller: Caller,
  parts: BulkParts,
  selection: Selection,
  said: SaidAnnotation,
): Promise<BulkAction> {
  return tellOf(caller, parts, parts.commands.annotate(caller, { ...toRequest(selection), said }));
}

/** A sample as somebody describes it: either of the two. */
export interface SampleInput {
  readonly percent?: number | null | undefined;
  readonly count?: number | null | undefined;
}

/** Adds the rows to a queue, or begins to. @throws AppError `invalid_argument`, `not_found`, `resource_exhausted` */
export function queueRows(
  caller: Caller,
  parts: BulkParts,
  selection: Selection,
  { queueRowId, sample }: { readonly queueRowId: number; readonly sample: SampleInput | null | undefined },
): Promise<BulkAction> {
  const request = { ...toRequest(selection), queueRowId, sample: sample == null ? null : toSample(sample) };
  return tellOf(caller, parts, parts.commands.queue(caller, request));
}

function toSample({ percent, count }: SampleInput): BulkSample {
  if (percent != null && count == null) return { percent };
  if (count != null && percent == null) return { count };
  throw new UnprocessableError('Give either the percentage of a sample or its number of rows.');
}

/** The row id in the id of a queue. @throws AppError `invalid_argument` */
export function toQueueRowId(id: string): number {
  const rowId = parseGlobalId('AnnotationQueue', id);
  if (rowId === undefined) throw new AppError('invalid_argument', 'This is not the id of an AnnotationQueue.');
  return rowId;
}

/** The row id of a queue, by its id or name. Index: annotation_queues_by_name. @throws AppError `not_found` */
export async function getQueueRowId({ db }: ReadHandle, identifier: string): Promise<number> {
  const rowId = parseGlobalId('AnnotationQueue', identifier);
  if (rowId !== undefined) return rowId;
  const row = await db.selectFrom('annotation_queues').select('id').where('name', '=', identifier).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'There is no such queue.');
  return row.id;
}

/** Ends an action where it is. @throws AppError `not_found`, `failed_precondition` */
export function cancelAction(
  caller: Caller,
  parts: BulkParts,
  rowId: number,
  projectRowId?: number,
): Promise<BulkAction> {
  return tellOf(caller, parts, parts.commands.cancel(caller, { rowId, projectRowId }));
}

/** Wakes the job that does it, on whichever server. */
async function tellOf(caller: Caller, parts: BulkParts, changing: Promise<BulkAction>): Promise<BulkAction> {
  const action = await changing;
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
