/** What tokens cost: the kinds of tokens that have a price of their own, and prices that a table can hold. */
import { AppError } from '#base/errors';

/**
 * The parts of a call's tokens, each token in exactly one: `input` and `output` are what no other part of their side
 * holds. `tokenType` is what the part is called on the wire, beside its side.
 */
export const COST_PARTS = [
  { key: 'input', tokenType: 'input', isPrompt: true },
  { key: 'cacheRead', tokenType: 'cache_read', isPrompt: true },
  { key: 'cacheWrite', tokenType: 'cache_write', isPrompt: true },
  { key: 'promptAudio', tokenType: 'audio', isPrompt: true },
  { key: 'output', tokenType: 'output', isPrompt: false },
  { key: 'reasoning', tokenType: 'reasoning', isPrompt: false },
  { key: 'completionAudio', tokenType: 'audio', isPrompt: false },
] as const;

/** One of {@link COST_PARTS}. */
export type CostPart = (typeof COST_PARTS)[number]['key'];

/** A number for each part. */
export type ByPart = Readonly<Record<CostPart, number>>;

/** Prices in US dollars for a million tokens; a part without one has that of `input` or `output`. */
export interface Rates extends Readonly<Partial<Record<CostPart, number>>> {
  readonly input: number;
  readonly output: number;
}

/** Prices of calls whose prompt has more than so many tokens, in place of the ordinary ones. */
export interface LongPromptRates {
  readonly abovePromptTokens: number;
  readonly rates: Readonly<Partial<Record<CostPart, number>>>;
}

/** All prices of a model. */
export interface Prices {
  readonly rates: Rates;
  /** By ascending number of tokens. */
  readonly longPrompts: readonly LongPromptRates[];
}

/** One price as it comes from outside. */
export interface TokenPrice {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  /** US dollars. */
  readonly perMillionTokens: number;
}

/** More than anything costs; sums of what costs more would leave exact integers. */
export const MAX_PER_MILLION = 1e6;

/**
 * Prices from a list that names each part once.
 * @throws AppError `invalid_argument` for a part that is unknown, missing or named twice, and for a price that is none
 */
export function toRates(prices: readonly TokenPrice[]): Rates {
  const rates = toSomeRates(prices);
  const { input, output } = rates;
  if (input === undefined || output === undefined) {
    const missing = input === undefined ? 'input of the prompt' : 'output of the completion';
    throw new AppError('invalid_argument', `A price for the token type ${missing} is missing: every model needs one.`);
  }
  return { ...rates, input, output };
}

/** The same for prices that stand in place of others, where none has to be there. @throws AppError `invalid_argument` */
export function toSomeRates(prices: readonly TokenPrice[]): Partial<Record<CostPart, number>> {
  const rates: Partial<Record<CostPart, number>> = {};
  for (const { tokenType, isPrompt, perMillionTokens } of prices) {
    const side = isPrompt ? 'prompt' : 'completion';
    const part = COST_PARTS.find((known) => known.tokenType === tokenType && known.isPrompt === isPrompt);
    if (part === undefined) {
      const known = COST_PARTS.filter((one) => one.isPrompt === isPrompt).map((one) => one.tokenType);
      throw new AppError(
        'invalid_argument',
        `No tokens of a ${side} are counted as ${quote(tokenType)}: give prices for ${known.join(', ')}.`,
      );
    }
    if (rates[part.key] !== undefined) {
      throw new AppError('invalid_argument', `There are two prices for ${tokenType} of the ${side}: give only one.`);
    }
    assertPrice(perMillionTokens, `${tokenType} of the ${side}`);
    rates[part.key] = perMillionTokens;
  }
  return rates;
}

/** Prices of long prompts in order. @throws AppError `invalid_argument` for a bound that is none, or there twice */
export function toLongPrompts(given: readonly LongPromptRates[]): readonly LongPromptRates[] {
  if (given.length > MAX_LONG_PROMPTS) {
    throw new AppError('invalid_argument', `Prices can change at no more than ${MAX_LONG_PROMPTS} prompt lengths.`);
  }
  const sorted = given.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  for (const [place, { abovePromptTokens }] of sorted.entries()) {
    if (!Number.isSafeInteger(abovePromptTokens) || abovePromptTokens < 1) {
      throw new AppError('invalid_argument', 'A prompt length is a whole number of tokens, at least 1.');
    }
    if (sorted[place - 1]?.abovePromptTokens === abovePromptTokens) {
      throw new AppError(
        'invalid_argument',
        `There are two lists of prices above ${abovePromptTokens} tokens: give only one.`,
      );
    }
  }
  return sorted;
}

const MAX_LONG_PROMPTS = 8;

function assertPrice(value: number, what: string): void {
  if (value >= 0 && value <= MAX_PER_MILLION) return;
  const fault = value < 0 ? 'is negative' : Number.isFinite(value) ? 'is too high' : 'is not a number';
  throw new AppError(
    'invalid_argument',
    `The price for ${what} ${fault}: give US dollars per million tokens, from 0 to ${MAX_PER_MILLION}.`,
  );
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
