/** A pass that prices stored spans anew, and how far it has come. */
import type { Kysely } from 'kysely';
import { compilePattern } from '#derive/cost/name-pattern';
import type { PassJob } from './reindexer.ts';
import { isPassAt, newPass, toPassColumns, toPassJob } from './state.ts';
import type { Tables } from '../schema/tables.ts';

/** Which spans are priced anew; `null` for no bound. Times are of their start, in microseconds since the Unix epoch. */
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
  const row = await db.selectFrom('pricing_job').selectAll().executeTakeFirst();
  if (row === undefined) return null;
  const { name_pattern: namePattern, start_us: startUs, end_us: endUs } = row;
  return { namePattern, startUs, endUs, ...toPassJob(row) };
}

/** A pass over what is stored now. @throws AppError `invalid_argument` for a pattern that is none */
export async function newPricingJob(db: Kysely<Tables>, scope: PricingScope, nowUs: number): Promise<PricingJob> {
  const { namePattern, startUs, endUs } = scope;
  if (namePattern !== null) compilePattern(namePattern);
  return { namePattern, startUs, endUs, ...(await newPass(db, nowUs)) };
}

/** Begins a pass, or joins the one that is under way. @throws AppError as {@link newPricingJob} */
export async function beginPricing(db: Kysely<Tables>, scope: PricingScope, nowUs: number): Promise<PricingJob> {
  const last = await loadPricingJob(db);
  if (last !== null && last.finishedAtUs === null) return last;
  const begun = await newPricingJob(db, scope, nowUs);
  const { namePattern: name_pattern, startUs: start_us, endUs: end_us } = begun;
  const row = { id: 1, name_pattern, start_us, end_us, ...toPassColumns(begun) };
  await db
    .insertInto('pricing_job')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  return begun;
}

/** Saves how far a pass has come, if it was as far as `before`; says whether it was. */
export async function advancePricing(db: Kysely<Tables>, before: PricingJob, job: PricingJob): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pricing_job')
    .set(toPassColumns(job))
    .where(isPassAt(before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
