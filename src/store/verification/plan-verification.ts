/** What the standing verification does next, found out in a reader's thread. */
import type { Kysely } from 'kysely';
import { advanceJob, findLastJob } from '../jobs/job-rows.ts';
import type { PlanScope } from '../reindex/plan.ts';
import type { Tables } from '../schema/tables.ts';
import { countSteps, readVerifyEnds, VERIFY_START, type VerifyPosition, verifyStep } from './verify-step.ts';

/** How far the job is, as its row says. Times are in microseconds since the Unix epoch. */
export interface VerificationProgress {
  /** Where the pass is; `null` between two passes. */
  readonly position: VerifyPosition | null;
  /** When the pass, or the last one, started; `null` before the first. */
  readonly startedAtUs: number | null;
  /** Rows of spans that the pass, or the last one, found to differ from their originals. */
  readonly differingCount: number;
  /** When the last pass ended; `null` before the first end. */
  readonly endedAtUs: number | null;
}

/** How far it is, for people and metrics. */
export interface VerificationState extends VerificationProgress {
  /** Share of the pass that is done, from 0 to 1 by ids; 1 between two passes. */
  readonly doneShare: number;
}

/** A step that was made, and is to be noted. */
export interface VerificationPlan {
  readonly jobId: number;
  readonly before: VerificationProgress;
  readonly after: VerificationProgress;
  /** Steps of a whole pass, roughly. */
  readonly stepCount: number;
}

/** No pass is due before then; in microseconds since the Unix epoch. */
export interface VerificationRest {
  readonly dueAtUs: number;
}

/** How far the job is; `undefined` where a salvaged or older database has none. Index: jobs_of_kind, primary keys. */
export async function readVerification(db: Kysely<Tables>): Promise<VerificationState | undefined> {
  const job = await findJob(db);
  return job && toState(db, job.progress);
}

/** Verifies the next items, where a pass is under way or due; `undefined` where a salvaged or older database has no job. */
export async function planVerification(
  scope: PlanScope,
  nowUs: number,
): Promise<VerificationPlan | VerificationRest | undefined> {
  const { db } = scope;
  const job = await findJob(db);
  if (job === undefined) return undefined;
  const { id: jobId, progress: before } = job;
  const { position, endedAtUs } = before;
  const dueAtUs = position === null && endedAtUs !== null ? endedAtUs + REST_US : 0;
  if (dueAtUs > nowUs) return { dueAtUs };
  const pass = position === null ? { ...before, startedAtUs: nowUs, differingCount: 0 } : before;
  const { next, differingRowIds } = await verifyStep(scope, position ?? VERIFY_START);
  const after: VerificationProgress = {
    position: next,
    startedAtUs: pass.startedAtUs,
    differingCount: pass.differingCount + differingRowIds.length,
    endedAtUs: next === null ? nowUs : endedAtUs,
  };
  return { jobId, before, after, stepCount: countSteps(await readVerifyEnds(scope), null) };
}

/** How long after the end of a pass the next one starts. */
const REST_US = 7 * 86_400_000_000;

/**
 * Counts no differing rows any more, because all rows were made again from their originals. A pass that is under way counts
 * those that it finds from then on.
 */
export async function forgetDiffering(db: Kysely<Tables>): Promise<void> {
  const job = await findJob(db);
  if (job === undefined || job.progress.differingCount === 0) return;
  const { id, input, progress } = job;
  await advanceJob(db, id, progress, { input, progress: { ...progress, differingCount: 0 } });
}

/** Notes a step; says whether the job was where the step began. */
export function advanceVerification(db: Kysely<Tables>, { jobId, before, after }: VerificationPlan): Promise<boolean> {
  return advanceJob(db, jobId, before, { input: {}, progress: after });
}

function findJob(db: Kysely<Tables>) {
  return findLastJob<Record<string, never>, VerificationProgress>(db, 'verification');
}

async function toState(db: Kysely<Tables>, progress: VerificationProgress): Promise<VerificationState> {
  if (progress.position === null) return { ...progress, doneShare: progress.endedAtUs === null ? 0 : 1 };
  const ends = await readVerifyEnds({ db });
  return { ...progress, doneShare: countSteps(ends, progress.position) / Math.max(countSteps(ends, null), 1) };
}
