/** What can be done with the prices of models. */
import { AppError } from '#base/errors';
import { builtInPrices } from '#derive/cost/built-in-list';
import type { ModelPrice } from '#derive/cost/model-price';
import { compilePattern } from '#derive/cost/name-pattern';
import type { Caller } from '#domain/caller';
import { loadPriceTable } from '#store/prices/load-price-table';
import { listCustomPrices } from '#store/prices/relational-prices';
import type { PricingJob, PricingScope } from '#store/reindex/pricing-job';
import type { Services } from '../slice.ts';

/** All prices that hold: people's own by name, then those that come with the product by provider and name. */
export async function listPrices(caller: Caller, read: Services['read']): Promise<readonly ModelPrice[]> {
  listed ??= [...builtInPrices()].toSorted(
    (a, b) => compare(a.provider ?? '', b.provider ?? '') || compare(a.name, b.name),
  );
  return [...(await listCustomPrices(read(caller).db)), ...listed];
}

let listed: readonly ModelPrice[] | undefined;

/** The price of the row id; `undefined` where there is none. */
export async function findPrice(
  caller: Caller,
  read: Services['read'],
  rowId: number,
): Promise<ModelPrice | undefined> {
  return (await listPrices(caller, read)).find((price) => price.rowId === rowId);
}

/** A call as far as its price depends on it. */
export interface PricedCall {
  readonly modelName: string;
  /** `null` where the call says none. */
  readonly provider: string | null;
  /** When it starts, in microseconds since the Unix epoch. */
  readonly startUs: number;
}

/** The price that a call has, now that the prices are as they are; `undefined` where none is known. */
export async function findPriceOfCall(
  caller: Caller,
  read: Services['read'],
  { modelName, provider, startUs }: PricedCall,
): Promise<ModelPrice | undefined> {
  return (await loadPriceTable(read(caller).db)).find(modelName, provider, startUs);
}

/**
 * Begins to price stored spans anew, or joins the pass that does just that.
 * @throws AppError `invalid_argument` for a pattern or times that are none, `failed_precondition` while another pass runs
 */
export async function startPricing(
  caller: Caller,
  pass: Services['repricer'],
  scope: PricingScope,
): Promise<PricingJob> {
  const { namePattern, startUs, endUs } = scope;
  if (namePattern !== null) compilePattern(namePattern);
  if (startUs !== null && endUs !== null && startUs >= endUs) {
    throw new AppError('invalid_argument', 'The time range ends before it starts.');
  }
  const job = await pass(caller).start(scope);
  if (job.namePattern === namePattern && job.startUs === startUs && job.endUs === endUs) return job;
  throw new AppError('failed_precondition', 'Stored spans are already being priced again: wait until that is done.');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
