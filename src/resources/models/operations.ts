/** What can be done with the prices of models. */
import { AppError } from '#base/errors';
import { builtInPrices, FIRST_BUILT_IN_ROW_ID } from '#derive/cost/built-in-list';
import type { ModelPrice } from '#derive/cost/model-price';
import { compilePattern } from '#derive/cost/name-pattern';
import { MAX_PATTERN_LENGTH } from '#derive/cost/pattern-parser';
import { toLongPrompts, toRates, toSomeRates, type TokenPrice } from '#derive/cost/rates';
import type { PriceStore, PriceValues } from '#store/prices/port';
import type { PricingJob, PricingScope } from '#store/prices/pricing-job';
import type { PricingPass } from '#store/reindex/passes';

/** A price as people give it. */
export interface PriceInput {
  readonly name: string;
  readonly provider?: string | null | undefined;
  readonly namePattern: string;
  /** Microseconds since the Unix epoch. */
  readonly startUs?: number | null | undefined;
  readonly prices: readonly TokenPrice[];
  readonly longPrompts?: readonly LongPromptInput[] | null | undefined;
}

/** Prices of calls whose prompt has more than so many tokens. */
export interface LongPromptInput {
  readonly abovePromptTokens: number;
  readonly prices: readonly TokenPrice[];
}

/** All prices that hold: people's own by name, then those that come with the product by provider and name. */
export async function listPrices(store: PriceStore): Promise<readonly ModelPrice[]> {
  listed ??= [...builtInPrices()].toSorted(
    (a, b) => compare(a.provider ?? '', b.provider ?? '') || compare(a.name, b.name),
  );
  return [...(await store.listPrices()), ...listed];
}

let listed: readonly ModelPrice[] | undefined;

/** The price of the row id; `undefined` where there is none. */
export async function findPrice(store: PriceStore, rowId: number): Promise<ModelPrice | undefined> {
  return (await listPrices(store)).find((price) => price.rowId === rowId);
}

/** A new price. @throws AppError `invalid_argument` with what is wrong with it, `already_exists` */
export async function createPrice(store: PriceStore, input: PriceInput): Promise<ModelPrice> {
  return store.changePrice({ kind: 'create', values: toPriceValues(input) });
}

/** The price with everything about it replaced. @throws AppError as for a new one; `not_found` */
export async function updatePrice(store: PriceStore, rowId: number, input: PriceInput): Promise<ModelPrice> {
  const values = toPriceValues(input);
  assertOwn(rowId, 'changed');
  return store.changePrice({ kind: 'update', rowId, values });
}

/** The price as it was. @throws AppError `not_found` */
export async function deletePrice(store: PriceStore, rowId: number): Promise<ModelPrice> {
  assertOwn(rowId, 'deleted');
  return store.changePrice({ kind: 'delete', rowId });
}

/**
 * Begins to price stored spans anew, or joins the pass that does just that.
 * @throws AppError `invalid_argument` for a pattern or times that are none, `failed_precondition` while another pass runs
 */
export async function startPricing(pass: PricingPass, scope: PricingScope): Promise<PricingJob> {
  const { namePattern, startUs, endUs } = scope;
  if (namePattern !== null) compilePattern(namePattern);
  if (startUs !== null && endUs !== null && startUs >= endUs) {
    throw new AppError('invalid_argument', 'The time range ends before it begins.');
  }
  const job = await pass.start(scope);
  if (job.namePattern === namePattern && job.startUs === startUs && job.endUs === endUs) return job;
  throw new AppError('failed_precondition', 'Stored spans are already being priced again: wait until that is done.');
}

function assertOwn(rowId: number, what: 'changed' | 'deleted'): void {
  if (rowId < FIRST_BUILT_IN_ROW_ID) return;
  throw new AppError(
    'failed_precondition',
    `A price that comes with the product cannot be ${what}: create a price of your own for the model, which takes precedence.`,
  );
}

function toPriceValues({ name, provider, namePattern, startUs, prices, longPrompts }: PriceInput): PriceValues {
  const trimmed = name.trim();
  assertText('The name of a price', trimmed);
  if (trimmed === '') throw new AppError('invalid_argument', 'A price needs a name.');
  const trimmedProvider = provider?.trim() ?? '';
  assertText('The provider of a price', trimmedProvider);
  compilePattern(namePattern);
  assertText('The pattern of a model name', namePattern, MAX_PATTERN_LENGTH);
  if (startUs != null && startUs < 0) throw new AppError('invalid_argument', 'A price cannot start before 1970.');
  const levels = (longPrompts ?? []).map(({ abovePromptTokens, prices: changed }) => ({
    abovePromptTokens,
    rates: toSomeRates(changed),
  }));
  return {
    name: trimmed,
    provider: trimmedProvider === '' ? null : trimmedProvider,
    namePattern,
    startUs: startUs ?? null,
    prices: { rates: toRates(prices), longPrompts: toLongPrompts(levels) },
  };
}

function assertText(what: string, text: string, most = MAX_TEXT_LENGTH): void {
  if (text.length > most) {
    throw new AppError('invalid_argument', `${what} has at most ${most} characters.`);
  }
  if (UNPRINTABLE.test(text)) throw new AppError('invalid_argument', `${what} cannot have control characters.`);
}

const MAX_TEXT_LENGTH = 256;

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
