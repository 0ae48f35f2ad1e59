/** A pass that prices stored spans again, and how far it has come. */
import type { Kysely } from 'kysely';
import { compilePattern } from '#derive/cost/name-pattern';
import type { Job } from '../jobs/job.ts';
import { beginJob, findLastJob } from '../jobs/job-rows.ts';
import type { PassJob, PassProgress } from '../reindex/pass-job.ts';
import { advancePass, newPass, toPassJob } from '../reindex/state.ts';
import type { Tables } from '../schema/tables.ts';

/** Which spans are priced again; `null` for no bound. Times are of their start, in microseconds since the Unix epoch. */
export interface PricingScope {
  /** Found in the name of the model. */
  readonly namePattern: string | null;
  readonly startUs: number | null;
  /** Exclusive. */
  readonly endUs: number | null;
}

/** A pass over the spans that were stored when it began. */
export interface PricingJob extends PassJob, PricingScope {}

/** The last pass; `null` before the first. */
export async function loadPricingJob(db: Kysely<Tables>): Promise<PricingJob | null> {
  const job = await findLastJob<PricingScope, PassProgress>(db, 'repricing');
  return job === undefined ? null : toPricingJob(job);
}

/** Begins a pass, or joins the one that is under way. @throws AppError `invalid_argument` for a pattern that is none */
export async function beginPricing(db: Kysely<Tables>, scope: PricingScope, nowUs: number): Promise<PricingJob> {
  if (scope.namePattern !== null) compilePattern(scope.namePattern);
  const input = scopeIn(scope);
  return toPricingJob(await beginJob(db, { kind: 'repricing', input, progress: await newPass(db), nowUs }));
}

/** Saves how far a pass has come, if it was as far as `before`; says whether it was. */
export function advancePricing(db: Kysely<Tables>, before: PricingJob, job: PricingJob): Promise<boolean> {
  return advancePass(db, before, job, { ...scopeIn(job) });
}

function toPricingJob(job: Job<PricingScope, PassProgress>): PricingJob {
  return { ...scopeIn(job.input), ...toPassJob(job) };
}

function scopeIn({ namePattern, startUs, endUs }: PricingScope): PricingScope {
  return { namePattern, startUs, endUs };
}
