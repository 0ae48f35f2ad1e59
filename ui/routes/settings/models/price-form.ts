/** A price as the fields of a form: what each token type is called, what was typed, what the server is sent. */
import { fromWallTime, toWallTime } from '#ui/lib/zoned-time.ts';

/** The types of tokens that have prices, as the API names them. */
export const PRICE_PARTS = [
  { id: 'input', kind: 'PROMPT', tokenType: 'input', label: 'Prompt' },
  { id: 'output', kind: 'COMPLETION', tokenType: 'output', label: 'Completion' },
  { id: 'cacheRead', kind: 'PROMPT', tokenType: 'cache_read', label: 'Prompt, read from cache' },
  { id: 'cacheWrite', kind: 'PROMPT', tokenType: 'cache_write', label: 'Prompt, written to cache' },
  { id: 'promptAudio', kind: 'PROMPT', tokenType: 'audio', label: 'Prompt, audio' },
  { id: 'reasoning', kind: 'COMPLETION', tokenType: 'reasoning', label: 'Completion, reasoning' },
  { id: 'completionAudio', kind: 'COMPLETION', tokenType: 'audio', label: 'Completion, audio' },
] as const;

/** One of {@link PRICE_PARTS}. */
export type PricePart = (typeof PRICE_PARTS)[number]['id'];

/** A price of one token type, as the API answers it. */
export interface TokenPrice {
  readonly kind: string;
  readonly tokenType: string;
  readonly costPerMillionTokens: number;
}

/** The part that a price is for; undefined for one that this page does not know. */
export function partOf({ kind, tokenType }: Omit<TokenPrice, 'costPerMillionTokens'>) {
  return PRICE_PARTS.find((part) => part.kind === kind && part.tokenType === tokenType);
}

/** Dollars for a million tokens of a part; undefined without a price of its own. */
export function rateOf(prices: readonly TokenPrice[], id: PricePart): number | undefined {
  return prices.find((price) => partOf(price)?.id === id)?.costPerMillionTokens;
}

/** Prices of calls with long prompts, as the API answers and takes them. */
export interface LongPromptPrices {
  readonly abovePromptTokens: number;
  readonly tokenPrices: readonly TokenPrice[];
}

/** A price as the API answers it. */
export interface AnsweredPrice {
  readonly name: string;
  readonly provider: string | null;
  readonly namePattern: string;
  readonly startTime: string | null;
  readonly tokenPrices: readonly TokenPrice[];
  readonly longPromptPrices: readonly LongPromptPrices[];
}

/** What stands in the fields. */
export interface PriceText {
  readonly name: string;
  readonly provider: string;
  readonly pattern: string;
  /** Wall time in the zone of the user; empty: from the beginning. */
  readonly start: string;
  readonly rates: Readonly<Record<PricePart, string>>;
}

/** The fields of a price; empty ones without. */
export function writePrice(price: AnsweredPrice | undefined, zone: string): PriceText {
  const rate = (id: PricePart) => {
    const value = price === undefined ? undefined : rateOf(price.tokenPrices, id);
    return [id, value === undefined ? '' : String(value)] as const;
  };
  const startTime = price?.startTime;
  return {
    name: price?.name ?? '',
    provider: price?.provider ?? '',
    pattern: price?.namePattern ?? '',
    start: startTime == null ? '' : toWallTime(Date.parse(startTime), zone),
    rates: Object.fromEntries(PRICE_PARTS.map(({ id }) => rate(id))) as Record<PricePart, string>,
  };
}

/** A field, and what is wrong with what was typed. */
export interface PriceFault {
  readonly field: 'name' | 'pattern' | 'start' | PricePart;
  readonly text: string;
}

/** What the server is sent; or the first fault. */
export function readPrice(text: PriceText, zone: string) {
  const fault = findFault(text, zone);
  if (fault !== undefined) return { fault };
  const provider = text.provider.trim();
  const startMs = text.start === '' ? undefined : fromWallTime(text.start, zone);
  return {
    input: {
      name: text.name.trim(),
      provider: provider === '' ? null : provider,
      namePattern: text.pattern,
      startTime: startMs === undefined ? null : new Date(startMs).toISOString(),
      costs: PRICE_PARTS.flatMap(({ id, kind, tokenType }) => {
        const rate = readRate(text.rates[id]);
        return typeof rate === 'number' ? [{ kind, tokenType, costPerMillionTokens: rate }] : [];
      }),
    },
  };
}

/** A pattern that fits this name alone, in any case. */
export function patternOf(name: string): string {
  const trimmed = name.trim();
  return trimmed === '' ? '' : `(?i)^${trimmed.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
}

function findFault({ name, pattern, start, rates }: PriceText, zone: string): PriceFault | undefined {
  if (name.trim() === '') return { field: 'name', text: 'Enter a name.' };
  if (pattern.trim() === '') return { field: 'pattern', text: 'Enter a pattern that the names of the model match.' };
  if (start !== '' && fromWallTime(start, zone) === undefined)
    return { field: 'start', text: 'Enter a date and time, or leave the field empty.' };
  for (const { id } of PRICE_PARTS) {
    const rate = readRate(rates[id]);
    if (rate === 'none') return { field: id, text: 'Enter US dollars per million tokens, such as 2.50.' };
    if (rate === undefined && (id === 'input' || id === 'output'))
      return { field: id, text: 'Enter a price; it can be 0.' };
  }
  return undefined;
}

/** Undefined: nothing was typed; `none`: what was typed is no price. */
function readRate(text: string): number | 'none' | undefined {
  const trimmed = text.trim().replace(/^\$/, '');
  if (trimmed === '') return undefined;
  return /^(?:\d{1,7}(?:\.\d{0,10})?|\.\d{1,10})$/.test(trimmed) ? Number(trimmed) : 'none';
}
