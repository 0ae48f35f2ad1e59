/** Bounds of numbers as people type them: with units, and with a sign of comparison before them. */
import type { NumberBound } from '#filter/range-terms';
import type { FacetSpec } from './facet-specs.ts';

/** The text that means the bound: `> 0`, or the number alone. */
export function writeBound(bound: NumberBound | null, side: Side): string {
  if (bound === null) return '';
  return bound.isExclusive ? `${side === 'min' ? '>' : '<'} ${bound.value}` : String(bound.value);
}

/** What a number is of. */
type Look = FacetSpec['look'];

/** Which end of a range a bound is. */
export type Side = 'min' | 'max';

/** The bound; null: none. Or why there is no telling. */
export type ReadBound = { readonly bound: NumberBound | null } | { readonly fault: string };

/**
 * The bound that a text means: `300ms`, `1.5 s` and `2m 30s` of durations, in milliseconds, which are also what a number
 * alone means; `$0.01` and `0.01 USD` of costs; else `1,000` or `1.5k`. `>` before the least and `<`
 * before the most leave the number itself out.
 */
export function readBound(text: string, look: Look, side: Side): ReadBound {
  const [, sign = '', rest = ''] = /^\s*([<>]=?|[≤≥])?\s*(.*?)\s*$/s.exec(text) ?? [];
  if (rest === '') return sign === '' ? { bound: null } : { fault: exampleOf(look) };
  const isOfMost = /[<≤]/.test(sign);
  if (sign !== '' && isOfMost !== (side === 'max')) {
    return {
      fault: `Use “${sign}” in the ${isOfMost ? 'maximum' : 'minimum'} field, not in this one.`,
    };
  }
  const words = rest.toLowerCase();
  const value = look === 'duration' ? readDuration(words) : look === 'cost' ? readCost(words) : readCount(words);
  return value === undefined
    ? { fault: exampleOf(look) }
    : { bound: { value, isExclusive: sign === '>' || sign === '<' } };
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  us: 0.001,
  µs: 0.001,
  μs: 0.001,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const UNIT_WORDS: readonly (readonly [words: RegExp, unit: string])[] = [
  [/^(microseconds?|usecs?)$/, 'us'],
  [/^(milliseconds?|millis|msecs?)$/, 'ms'],
  [/^(seconds?|secs?)$/, 's'],
  [/^(minutes?|mins?)$/, 'm'],
  [/^(hours?|hrs?)$/, 'h'],
  [/^days?$/, 'd'],
];

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?(?:e[+-]?\d{1,2})?|\.\d+`;
const PART = new RegExp(String.raw`(${NUMBER})\s*([a-zµμ]+)\s*`, 'y');

function readDuration(words: string): number | undefined {
  const alone = readNumber(words);
  if (alone !== undefined) return alone;
  let sum = 0;
  PART.lastIndex = 0;
  for (let at = 0; at < words.length; at = PART.lastIndex) {
    const [, amount = '', word = ''] = PART.exec(words) ?? [];
    const unit = UNIT_WORDS.find(([pattern]) => pattern.test(word))?.[1] ?? word;
    const factor = Object.hasOwn(MILLISECONDS, unit) ? MILLISECONDS[unit] : undefined;
    if (factor === undefined) return undefined;
    sum += (readNumber(amount) ?? 0) * factor;
  }
  return toTwelve(sum);
}

function readCost(words: string): number | undefined {
  return readNumber(words.replace(/^\$\s*|^usd\s+|^us\s?\$\s*/, '').replace(/\s*(?:\$|usd|dollars?)$/, ''));
}

function readCount(words: string): number | undefined {
  const [, amount = '', unit = ''] = /^(.*?)\s*([km]?)$/.exec(words) ?? [];
  const number = readNumber(amount);
  return number === undefined ? undefined : toTwelve(number * (unit === 'k' ? 1000 : unit === 'm' ? 1_000_000 : 1));
}

const WHOLE_NUMBER = new RegExp(`^-?(?:${NUMBER})$`);

function readNumber(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !WHOLE_NUMBER.test(text)) return undefined;
  const number = Number(text.replaceAll(',', ''));
  return Number.isFinite(number) ? number : undefined;
}

/** No number that anybody types is longer. */
const MAX_LENGTH = 40;

/** Without what binary fractions add: 1.1 s are 1100 ms. */
function toTwelve(value: number): number {
  return Number(value.toPrecision(12));
}

function exampleOf(look: Look): string {
  switch (look) {
    case 'duration':
      return 'Enter a duration, such as 300ms, 1.5s or 2m 30s.';
    case 'cost':
      return 'Enter an amount in dollars, such as $0.01 or 0.01.';
    default:
      return 'Enter a number, such as 1,000 or 1.5k.';
  }
}
