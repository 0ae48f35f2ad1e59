/** The steps of bulk actions that are jobs, in the writer: each is one transaction, and holds once. */
import { AppError } from '#base/errors';
import { systemCaller } from '#domain/caller';
import { writeAudit } from '../commands/audit.ts';
import { findDeletionOfJob } from '../deletion/hide.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { StepOutcome } from '../jobs/job-loop.ts';
import { advanceJob, cancelJob, failJob, findJobs } from '../jobs/job-rows.ts';
import type { Place } from '../query/place.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import { ACT } from './begin.ts';
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
import { addItems, readItems, removeItems } from './items.ts';

/** What a step came to. */
export interface BulkStep {
  readonly outcome: Extract<StepOutcome, 'changed' | 'unchanged' | 'finished'>;
  readonly touched: readonly TouchedProject[];
}

/** Somebody has done the step, or ended the job. */
const NOTHING: BulkStep = { outcome: 'unchanged', touched: [] };

const CHANGED: BulkStep = { outcome: 'changed', touched: [] };

const OVER: BulkStep = { outcome: 'finished', touched: [] };

async function findBulkJob(scope: WriteScope, jobId: number): Promise<BulkJob | undefined> {
  const [job] = await findJobs<BulkInput, BulkProgress>(scope, 'bulk', [jobId]);
  return job;
}

/** Notes rows that a reader found, if the job is where the reader found it. */
export async function noteChosen(
  scope: WriteScope,
  jobId: number,
  before: BulkProgress,
  { rowIds, next }: { readonly rowIds: readonly number[]; readonly next: Place | null },
): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  if (!isAt(job, before)) return NOTHING;
  const notedCount = before.notedCount + (await addItems(scope, jobId, rowIds));
  const phase = next === null ? ('acting' as const) : ('noting' as const);
  const isAdvanced = await advance(scope, job, before, { ...before, phase, after: next, notedCount });
  return isAdvanced ? CHANGED : NOTHING;
}

/** Whether somebody may work on the job, and it is where it was when the step was planned. */
function isAt(job: BulkJob | undefined, before: BulkProgress): job is BulkJob {
  return job?.state === 'running' && JSON.stringify(job.progress) === JSON.stringify(before);
}

/** Does it to the next rows, and ends the job where none are left. */
export async function actOnNext(scope: WriteScope, jobId: number, most: number): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  if (job?.projectRowId == null || job.state !== 'running' || job.progress.phase !== 'acting') return NOTHING;
  const { input, progress, projectRowId } = job;
  const { toProjectRowId } = input;
  if (!(await isProjectThere(scope, projectRowId))) {
    const goneCount = progress.goneCount + (await removeItems(scope, jobId));
    return finish(scope, job, { ...progress, goneCount });
  }
  if (toProjectRowId !== null && !(await isProjectThere(scope, toProjectRowId))) return fail(scope, job, NO_TARGET);
  const rowIds = await readItems(scope, jobId, Math.min(most, MOST_ROWS));
  if (rowIds.length === 0) return finish(scope, job, progress);
  const deletion = toProjectRowId === null ? ((await findDeletionOfJob(scope, jobId)) ?? null) : null;
  const { below } = input;
  const acting = { projectRowId, toProjectRowId, below, most, isAtOnce: false, deletion };
  const { done, gone, touched } = await ACT[input.rows](scope, acting, rowIds);
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

const NO_TARGET = 'The project to move to was deleted.';

/** Leaves out the next row, with which nothing can be done, if the job is where that was found. */
export async function refuseNext(scope: WriteScope, jobId: number, before: BulkProgress): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  const [rowId] = await readItems(scope, jobId, 1);
  if (!isAt(job, before) || rowId === undefined) return NOTHING;
  await removeItems(scope, jobId, [rowId]);
  await advance(scope, job, job.progress, { ...job.progress, refusedCount: job.progress.refusedCount + 1 });
  return CHANGED;
}

/** Ends an action that cannot go on. */
export async function failBulkAction(scope: WriteScope, jobId: number, error: string): Promise<BulkStep> {
  const job = await findBulkJob(scope, jobId);
  return job?.state === 'running' ? fail(scope, job, error) : NOTHING;
}

/**
 * Ends an action where it is; what is done stays done.
 * @throws AppError `not_found`, `failed_precondition` where it is over
 */
export async function cancelBulkAction(
  scope: WriteScope,
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
  await removeItems(scope, rowId);
  return toBulkAction({ ...job, state: 'cancelled', finishedAtUs: nowUs });
}

async function finish(scope: WriteScope, job: BulkJob, progress: BulkProgress): Promise<BulkStep> {
  const end = { result: toResult(progress), nowUs: Date.now() * 1000 };
  await advanceJob(scope.db, job.id, job.progress, { input: job.input, progress, end });
  await auditEnd(scope, job, progress, []);
  return OVER;
}

/** Rows that were not come to are refused. */
async function fail(scope: WriteScope, job: BulkJob, error: string): Promise<BulkStep> {
  const refusedCount = job.progress.refusedCount + (await removeItems(scope, job.id));
  const progress = { ...job.progress, refusedCount };
  await advance(scope, job, job.progress, progress);
  await failJob(scope.db, job.id, { error, result: toResult(progress), nowUs: Date.now() * 1000 });
  await auditEnd(scope, job, progress, ['failed']);
  return OVER;
}

function advance(
  { db }: WriteScope,
  { id, input }: BulkJob,
  before: BulkProgress,
  progress: BulkProgress,
): Promise<boolean> {
  return advanceJob(db, id, before, { input, progress });
}

async function auditEnd(
  { db }: WriteScope,
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
