/** Begins bulk actions, in the writer: what was ticked is done at once, whole or not at all; anything more becomes a job. */
import { AppError } from '#base/errors';
import { beginDeletion, hideNext } from '../deletion/hide.ts';
import { addJob } from '../jobs/job-rows.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import { joinTouched } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { type ActedPart, type Acting, actOnSessions, actOnSpans, actOnTraces } from './act.ts';
import {
  type BulkAction,
  type BulkBounds,
  type BulkInput,
  type BulkProgress,
  type BulkRequest,
  type BulkRows,
  toBulkAction,
  toResult,
} from './bulk-action.ts';
import { addItems } from './items.ts';
import { isProjectThere } from './find-rows.ts';

/** Rows that are done at once. */
const ROWS_AT_ONCE = 1000;

/** What was begun, or done. */
export interface BegunAction {
  readonly action: BulkAction;
  readonly touched: readonly TouchedProject[];
}

/**
 * Does it, or begins a job that does.
 * @param toProjectRowId where to move the rows; `null` to delete them
 * @throws AppError `not_found` where a project is not there, `invalid_argument` for a move to where the rows are,
 * `resource_exhausted` where too many jobs of this kind are under way
 */
export async function beginBulkAction(
  scope: WriteScope,
  { projectRowId, rows, chosen }: BulkRequest,
  toProjectRowId: number | null,
  nowUs: number,
): Promise<BegunAction> {
  if (!(await isProjectThere(scope, projectRowId))) throw new AppError('not_found', 'There is no such project.');
  if (toProjectRowId === projectRowId) throw new AppError('invalid_argument', 'The rows are in this project already.');
  if (toProjectRowId !== null && !(await isProjectThere(scope, toProjectRowId))) {
    throw new AppError('not_found', 'The project to move to does not exist.');
  }
  const matching = 'matching' in chosen ? chosen.matching : null;
  const rowIds = 'rowIds' in chosen ? [...new Set(chosen.rowIds)] : [];
  const below = await readBounds(scope);
  const input: BulkInput = { kind: toProjectRowId === null ? 'delete' : 'move', rows, toProjectRowId, matching, below };
  const job = { kind: 'bulk', projectRowId, input, nowUs } as const;
  if (matching === null && (await areFew(scope, rows, rowIds))) {
    const { part, progress } = await actAtOnce(scope, { projectRowId, input }, rowIds);
    const done = await addJob(scope.db, { ...job, progress }, toResult(progress));
    await forgetOldActions(scope, done.id);
    return { action: toBulkAction(done), touched: part.touched };
  }
  await assertRoomForJob(scope, projectRowId);
  const phase = matching === null ? 'acting' : 'noting';
  const progress = { ...NOTHING_DONE, phase, notedCount: rowIds.length } as const;
  const begun = await addJob<BulkInput, BulkProgress>(scope.db, { ...job, progress });
  await addItems(scope, begun.id, rowIds);
  if (toProjectRowId === null) await beginDeletion(scope, deletionOf(projectRowId), begun.id);
  await forgetOldActions(scope, begun.id);
  return { action: toBulkAction(begun), touched: [] };
}

const NOTHING_DONE: BulkProgress = {
  phase: 'acting',
  after: null,
  notedCount: 0,
  doneCount: 0,
  goneCount: 0,
  refusedCount: 0,
};

/** It hides what the action says. */
function deletionOf(projectRowId: number) {
  return { projectRowId, selection: { traceRowIds: [] }, reason: 'request', policyRowId: null } as const;
}

async function actAtOnce(
  scope: WriteScope,
  { projectRowId, input }: { readonly projectRowId: number; readonly input: BulkInput },
  rowIds: readonly number[],
): Promise<{ readonly part: ActedPart; readonly progress: BulkProgress }> {
  const { rows, toProjectRowId, below } = input;
  const deletion = toProjectRowId === null ? ((await beginDeletion(scope, deletionOf(projectRowId))) ?? null) : null;
  const acting: Acting = { projectRowId, toProjectRowId, below, most: ROWS_AT_ONCE, isAtOnce: true, deletion };
  const part = await actOnAll(scope, acting, rows, rowIds);
  if (deletion !== null) await hideNext(scope, deletion.rowId);
  const counts = { doneCount: part.done.length, goneCount: part.gone.length };
  return { part, progress: { ...NOTHING_DONE, notedCount: rowIds.length, ...counts } };
}

/** Part by part, in the one transaction. */
async function actOnAll(
  scope: WriteScope,
  acting: Acting,
  rows: BulkRows,
  rowIds: readonly number[],
): Promise<ActedPart> {
  const left = new Set(rowIds);
  const done: number[] = [];
  const gone: number[] = [];
  let touched: readonly TouchedProject[] = [];
  while (left.size > 0) {
    const part = await ACT[rows](scope, acting, [...left]);
    done.push(...part.done);
    gone.push(...part.gone);
    for (const rowId of [...part.done, ...part.gone]) left.delete(rowId);
    touched = joinTouched([touched, part.touched]);
  }
  return { done, gone, touched };
}

/** What is done to rows, by what they are. */
export const ACT: Readonly<Record<BulkRows, typeof actOnTraces>> = {
  span: actOnSpans,
  trace: actOnTraces,
  session: actOnSessions,
};

/** Whether one transaction can do all of them: nobody waits for more. */
async function areFew({ db, dialect }: WriteScope, rows: BulkRows, rowIds: readonly number[]): Promise<boolean> {
  if (rowIds.length > ROWS_AT_ONCE) return false;
  const wanted = dialect.numbersOf(rowIds);
  if (rows === 'session') {
    const traces = db.selectFrom('traces').select('id').where('session_row_id', 'in', wanted);
    return (await traces.limit(ROWS_AT_ONCE + 1).execute()).length <= ROWS_AT_ONCE;
  }
  if (rows === 'trace') return true;
  const records = db.selectFrom('log_records').select('id').where('span_row_id', 'in', wanted);
  return (await records.limit(MAX_RECORDS + 1).execute()).length <= MAX_RECORDS;
}

/** Log records that go with spans at once. */
const MAX_RECORDS = 1000;

/** Ids that the next rows get. */
async function readBounds({ db }: WriteScope): Promise<BulkBounds> {
  const rows = await db.selectFrom('row_ids').selectAll().execute();
  const next = new Map<string, number>(rows.map((row) => [row.table_name, row.next_id]));
  const of = (table: string) => next.get(table) ?? 0;
  return { span: of('spans'), trace: of('traces'), session: of('sessions') };
}

/** Each takes its part of the writer's time. Index: jobs_unfinished. */
async function assertRoomForJob({ db }: WriteScope, projectRowId: number): Promise<void> {
  const rows = await db
    .selectFrom('jobs')
    .select('project_id')
    .where('kind', '=', 'bulk')
    .where('finished_at_us', 'is', null)
    .limit(MAX_JOBS)
    .execute();
  if (rows.length >= MAX_JOBS) throw tooMany(`${MAX_JOBS} bulk actions of all projects`);
  const ofProject = rows.filter((row) => row.project_id === projectRowId);
  if (ofProject.length >= MAX_JOBS_OF_PROJECT) throw tooMany(`${MAX_JOBS_OF_PROJECT} bulk actions of this project`);
}

function tooMany(what: string): AppError {
  return new AppError('resource_exhausted', `${what} are under way: try again when one of them is finished.`);
}

const MAX_JOBS = 20;

/** So that one project, or a key that is limited to it, does not take the others' turns. */
const MAX_JOBS_OF_PROJECT = 5;

/** What was done is remembered, though not for ever. Index: jobs_of_kind. */
async function forgetOldActions({ db }: WriteScope, lastId: number): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('kind', '=', 'bulk')
    .where('id', '<=', lastId - MAX_REMEMBERED)
    .where('finished_at_us', 'is not', null)
    .execute();
}

const MAX_REMEMBERED = 10_000;
