/** A price as people give it, and its stored form. */
import { AppError } from '#base/errors';
import { FIRST_BUILT_IN_ROW_ID } from './built-in-list.ts';
import type { ModelPrice } from './model-price.ts';
import { compilePattern } from './name-pattern.ts';
import { MAX_PATTERN_LENGTH } from './pattern-parser.ts';
import { toLongPrompts, toRates, toSomeRates, type TokenPrice } from './rates.ts';

/** What people say of a price. */
export type PriceValues = Pick<ModelPrice, 'name' | 'provider' | 'namePattern' | 'startUs' | 'prices'>;

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

/** @throws AppError `failed_precondition` for a price that comes with the product */
export function assertOwn(rowId: number, what: 'changed' | 'deleted'): void {
  if (rowId < FIRST_BUILT_IN_ROW_ID) return;
  throw new AppError(
    'failed_precondition',
    `A price that comes with the product cannot be ${what}: create a price of your own for the model, which takes precedence.`,
  );
}

/** The values of a price. @throws AppError `invalid_argument` with what is wrong with it */
export function toPriceValues({ name, provider, namePattern, startUs, prices, longPrompts }: PriceInput): PriceValues {
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
