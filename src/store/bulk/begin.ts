/** Begins bulk actions, in the writer: what was ticked is done at once, whole or not at all; anything more becomes a job. */
import { AppError } from '#base/errors';
import { beginDeletion, hideNext } from '../deletion/hide.ts';
import { addItems } from '../jobs/job-items.ts';
import { addJob } from '../jobs/job-rows.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import { joinTouched } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { doingOf } from './act.ts';
import {
  type BulkAction,
  type BulkBounds,
  type BulkDeed,
  type BulkInput,
  type BulkProgress,
  type BulkRequest,
  toBulkAction,
  toResult,
} from './bulk-action.ts';
import { type Act, type ActedPart, type Acting, type BulkDoing, ROWS_AT_ONCE } from './doing.ts';
import { isProjectThere } from './find-rows.ts';
import { sampleNamed } from './sample-rows.ts';

/** What was begun, or done. */
export interface BegunAction {
  readonly action: BulkAction;
  readonly touched: readonly TouchedProject[];
}

/**
 * Does it, or begins a job that does.
 * @throws AppError `not_found` where a project or a queue is not there, `invalid_argument` for what cannot be done to these rows,
 * `resource_exhausted` where too many jobs of this kind are under way
 */
export async function beginBulkAction(
  scope: DeriveScope,
  { projectRowId, rows, chosen }: BulkRequest,
  deed: BulkDeed,
  nowUs: number,
): Promise<BegunAction> {
  if (!(await isProjectThere(scope, projectRowId))) throw new AppError('not_found', 'There is no such project.');
  const doing = doingOf(deed);
  const obstacle = await doing.findObstacle(scope, projectRowId, rows);
  if (obstacle !== null) throw obstacle;
  const matching = 'matching' in chosen ? chosen.matching : null;
  const rowIds = 'rowIds' in chosen ? sampleNamed(deed, [...new Set(chosen.rowIds)]) : [];
  const input: BulkInput = { ...deed, rows, matching, below: await readBounds(scope) };
  const job = { kind: 'bulk', projectRowId, input, nowUs } as const;
  if (matching === null && rowIds.length <= ROWS_AT_ONCE && (await doing.areFew(scope, rows, rowIds))) {
    const { part, progress } = await actAtOnce(scope, job, doing, rowIds);
    const done = await addJob(scope.db, { ...job, progress }, toResult(progress));
    await forgetOldActions(scope, done.id);
    return { action: toBulkAction(done), touched: part.touched };
  }
  await assertRoomForJob(scope, projectRowId);
  const phase = matching === null ? 'acting' : 'noting';
  const progress = { ...NOTHING_DONE, phase, notedCount: rowIds.length } as const;
  const begun = await addJob<BulkInput, BulkProgress>(scope.db, { ...job, progress });
  await addItems(scope, begun.id, rowIds);
  if (doing.hidesTraces) await beginDeletion(scope, deletionOf(projectRowId), begun.id);
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
  scope: DeriveScope,
  { projectRowId, input, nowUs }: { readonly projectRowId: number; readonly input: BulkInput; readonly nowUs: number },
  doing: BulkDoing,
  rowIds: readonly number[],
): Promise<{ readonly part: ActedPart; readonly progress: BulkProgress }> {
  const { rows, below } = input;
  const deletion = doing.hidesTraces ? ((await beginDeletion(scope, deletionOf(projectRowId))) ?? null) : null;
  const acting: Acting = { projectRowId, below, most: ROWS_AT_ONCE, isAtOnce: true, askedAtUs: nowUs, deletion };
  const part = await actOnAll(scope, acting, doing.act[rows], rowIds);
  if (deletion !== null) await hideNext(scope, deletion.rowId);
  const counts = { doneCount: part.done.length, goneCount: part.gone.length };
  return { part, progress: { ...NOTHING_DONE, notedCount: rowIds.length, ...counts } };
}

/** Part by part, in the one transaction. */
async function actOnAll(scope: DeriveScope, acting: Acting, act: Act, rowIds: readonly number[]): Promise<ActedPart> {
  const left = new Set(rowIds);
  const done: number[] = [];
  const gone: number[] = [];
  let touched: readonly TouchedProject[] = [];
  while (left.size > 0) {
    const part = await act(scope, acting, [...left]);
    done.push(...part.done);
    gone.push(...part.gone);
    for (const rowId of [...part.done, ...part.gone]) left.delete(rowId);
    touched = joinTouched([touched, part.touched]);
  }
  return { done, gone, touched };
}

/** Ids that the next rows get. */
async function readBounds({ db }: DeriveScope): Promise<BulkBounds> {
  const rows = await db.selectFrom('row_ids').selectAll().execute();
  const next = new Map<string, number>(rows.map((row) => [row.table_name, row.next_id]));
  const of = (table: string) => next.get(table) ?? 0;
  return { span: of('spans'), trace: of('traces'), session: of('sessions') };
}

/** Each takes its part of the writer's time. Index: jobs_unfinished. */
async function assertRoomForJob({ db }: DeriveScope, projectRowId: number): Promise<void> {
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
async function forgetOldActions({ db }: DeriveScope, lastId: number): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('kind', '=', 'bulk')
    .where('id', '<=', lastId - MAX_REMEMBERED)
    .where('finished_at_us', 'is not', null)
    .execute();
}

const MAX_REMEMBERED = 10_000;
