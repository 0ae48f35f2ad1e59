/** The steps of bulk actions that are jobs, in the writer: each is one transaction, and holds once. */
import { AppError } from '#base/errors';
import { systemCaller } from '#domain/caller';
import { writeAudit } from '../commands/audit.ts';
import { findDeletionOfJob } from '../deletion/hide.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { StepOutcome } from '../jobs/job-loop.ts';
import { addItems, readItems, removeItems, removeSomeItems } from '../jobs/job-items.ts';
import { advanceJob, cancelJob, failJob, findJobs } from '../jobs/job-rows.ts';
import type { Place } from '../query/place.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import { doingOf } from './act.ts';
import {
  type BulkAction,
  type BulkInput,
  type BulkJob,
  type BulkProgress,
  describeCounts,
  toBulkAction,
  toResult,
} from './bulk-action.ts';
import { isProjectThere } from './find-rows.ts';
import { areTooMany, toTakeOut } from './sample-rows.ts';

/** What a step came to. */
export interface BulkStep {
  readonly outcome: Extract<StepOutcome, 'changed' | 'unchanged' | 'finished'>;
  readonly touched: readonly TouchedProject[];
}

/** Somebody has done the step, or ended the job. */
const NOTHING: BulkStep = { outcome: 'unchanged', touched: [] };

const CHANGED: BulkStep = { outcome: 'changed', touched: [] };

const OVER: BulkStep = { outcome: 'finished', touched: [] };

async function findBulkJob(scope: DeriveScope, jobId: number): Promise<BulkJob | undefined> {
  const [job] = await findJobs<BulkInput, BulkProgress>(scope, 'bulk', [jobId]);
  return job;
}

/** Notes rows that a reader found, if the job is where the reader found it. */
export async function noteChosen(
  scope: DeriveScope,
  jobId: number,
  before: BulkProgress,
  { rowIds, next }: { readonly rowIds: readonly number[]; readonly next: Place | null },
): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  if (!isAt(job, before)) return NOTHING;
  const notedCount = before.notedCount + (await addItems(scope, jobId, rowIds));
  const noted = areTooMany(job.input, notedCount) ? 'sampling' : 'acting';
  const phase = next === null ? noted : 'noting';
  const isAdvanced = await advance(scope, job, before, { ...before, phase, after: next, notedCount });
  return isAdvanced ? CHANGED : NOTHING;
}

/** Takes out the next of the rows that have a higher rank, if the job is where a reader found the rank. */
export async function sampleNext(
  scope: DeriveScope,
  jobId: number,
  before: BulkProgress,
  lastRank: number,
): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  if (!isAt(job, before)) return NOTHING;
  const rowIds = await readItems(scope, jobId, SAMPLED_ROWS, before.sampled?.afterRowId);
  const others = toTakeOut(job.input, rowIds, lastRank);
  await removeItems(scope, jobId, others);
  const afterRowId = rowIds.at(-1);
  await advance(scope, job, before, {
    ...before,
    ...(afterRowId === undefined ? { phase: 'acting' } : { sampled: { lastRank, afterRowId } }),
    notedCount: before.notedCount - others.length,
  });
  return CHANGED;
}

/** Rows of which one transaction takes out those that are not wanted. */
const SAMPLED_ROWS = 2000;

/** Whether somebody may work on the job, and it is where it was when the step was planned. */
function isAt(job: BulkJob | undefined, before: BulkProgress): job is BulkJob {
  return job?.state === 'running' && JSON.stringify(job.progress) === JSON.stringify(before);
}

/** Does it to the next rows, and ends the job where none are left. */
export async function actOnNext(scope: DeriveScope, jobId: number, most: number): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  if (job?.projectRowId == null || job.state !== 'running' || job.progress.phase !== 'acting') return NOTHING;
  const { input, progress, projectRowId } = job;
  if (!(await isProjectThere(scope, projectRowId))) return giveUp(scope, job);
  const doing = doingOf(input);
  const obstacle = await doing.findObstacle(scope, projectRowId, input.rows);
  if (obstacle !== null) return fail(scope, job, obstacle.message);
  const rowIds = await readItems(scope, jobId, Math.min(most, MOST_ROWS));
  if (rowIds.length === 0) return finish(scope, job, progress);
  const deletion = doing.hidesTraces ? ((await findDeletionOfJob(scope, jobId)) ?? null) : null;
  const { below } = input;
  const acting = { projectRowId, below, most, isAtOnce: false, askedAtUs: job.startedAtUs, deletion };
  const { done, gone, touched } = await doing.act[input.rows](scope, acting, rowIds);
  await removeItems(scope, jobId, [...done, ...gone]);
  const after = {
    ...progress,
    doneCount: progress.doneCount + done.length,
    goneCount: progress.goneCount + gone.length,
  };
  await advance(scope, job, progress, after);
  return { outcome: 'changed', touched };
}

/** Rows that one transaction looks at: hiding 500 traces takes some 8 ms. */
const MOST_ROWS = 500;

/** Leaves out the next row, with which nothing can be done, if the job is where that was found. */
export async function refuseNext(scope: DeriveScope, jobId: number, before: BulkProgress): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  const [rowId] = await readItems(scope, jobId, 1);
  if (!isAt(job, before) || rowId === undefined) return NOTHING;
  await removeItems(scope, jobId, [rowId]);
  await advance(scope, job, job.progress, { ...job.progress, refusedCount: job.progress.refusedCount + 1 });
  return CHANGED;
}

/** Ends an action that cannot go on. */
export async function failBulkAction(scope: DeriveScope, jobId: number, error: string): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  return job?.state === 'running' ? fail(scope, job, error) : NOTHING;
}

/**
 * Ends an action where it is; what is done stays done.
 * @throws AppError `not_found`, `failed_precondition` where it is over
 */
export async function cancelBulkAction(
  scope: DeriveScope,
  { rowId, projectRowId }: { readonly rowId: number; readonly projectRowId?: number | undefined },
  nowUs: number,
): Promise<BulkAction> {
  const job = await findBulkJob(scope, rowId);
  if (job === undefined || (projectRowId !== undefined && job.projectRowId !== projectRowId)) {
    throw new AppError('not_found', 'There is no such bulk action.');
  }
  if (!(await cancelJob(scope.db, rowId, nowUs))) {
    throw new AppError('failed_precondition', 'This bulk action is over already.');
  }
  // A job sweeps the rows that it had yet to do.
  return toBulkAction({ ...job, state: 'cancelled', finishedAtUs: nowUs });
}

async function finish(scope: DeriveScope, job: BulkJob, progress: BulkProgress): Promise<BulkStep> {
  const end = { result: toResult(progress), nowUs: Date.now() * 1000 };
  await advanceJob(scope.db, job.id, job.progress, { input: job.input, progress, end });
  await auditEnd(scope, job, progress, []);
  return OVER;
}

/** The project was deleted, and with it the rows that were not come to. */
async function giveUp(scope: DeriveScope, job: BulkJob): Promise<BulkStep> {
  const left = await removeSomeItems(scope, job.id);
  const progress = { ...job.progress, goneCount: job.progress.goneCount + left };
  if (left === 0) return finish(scope, job, progress);
  await advance(scope, job, job.progress, progress);
  return CHANGED;
}

/** Rows that were not come to are refused, some in each step. */
async function fail(scope: DeriveScope, job: BulkJob, error: string): Promise<BulkStep> {
  const left = await removeSomeItems(scope, job.id);
  const progress = { ...job.progress, refusedCount: job.progress.refusedCount + left };
  await advance(scope, job, job.progress, progress);
  if (left > 0) return CHANGED;
  await failJob(scope.db, job.id, { error, result: toResult(progress), nowUs: Date.now() * 1000 });
  await auditEnd(scope, job, progress, ['failed']);
  return OVER;
}

function advance(
  { db }: DeriveScope,
  { id, input }: BulkJob,
  before: BulkProgress,
  progress: BulkProgress,
): Promise<boolean> {
  return advanceJob(db, id, before, { input, progress });
}

async function auditEnd(
  { db }: DeriveScope,
  { id, input, projectRowId }: BulkJob,
  progress: BulkProgress,
  how: readonly string[],
): Promise<void> {
  await writeAudit(db, 'bulk.finish', systemCaller('bulk'), [
    {
      object: { type: 'BulkAction', id, name: input.kind },
      ...(projectRowId !== null && { projectRowId }),
      changes: [...how, ...describeCounts(input, progress)],
    },
  ]);
}
