/** Numbers of the filter language. */
import { type DiagnosticList, quote, type Range } from './diagnostic.ts';
import { matchAt } from './scan.ts';
import type { Token } from './token.ts';

/** The number that begins at the place. One that is none is reported, and stands for 0. */
export function readNumber(text: string, start: number, diagnostics: DiagnosticList): Token | undefined {
  const amount = matchAt(AMOUNT, text, start);
  if (amount !== undefined) return readAmount(text, amount, start, diagnostics);
  const written = matchAt(NUMBER_LIKE, text, start);
  if (written === undefined) return undefined;
  const range = { start, end: start + written.length };
  const digits = digitsOf(written);
  const value = Number(digits);
  if (digits === undefined) {
    const repair = numberOf(written);
    const advice = repair === undefined ? '' : `: write ${repair}`;
    diagnostics.error('bad_number', range, `${quote(written)} is not a number${advice}`, repair);
  } else if (Number.isFinite(value)) {
    return { kind: 'number', value, text: digits, ...range };
  } else {
    diagnostics.error('bad_number', range, `${quote(written)} is too large: the largest number is 1.7e308`);
  }
  return { kind: 'number', value: 0, text: '0', ...range };
}

/** `5s`, `1.5 hours`, `1h30m`, `10k`: numbers have no units here. */
function readAmount(text: string, written: string, start: number, diagnostics: DiagnosticList): Token {
  const range = { start, end: start + written.length };
  const isCount = COUNT.test(written);
  const meant = isCount || isBesideTime(text, range) ? numberOfAmount(written) : undefined;
  const advice = meant === undefined ? UNITLESS : `write ${meant}${isCount ? '' : ' for milliseconds'}`;
  diagnostics.error('bad_number', range, `${quote(written)} is not a number: ${advice}`, meant);
  return { kind: 'number', value: Number(meant ?? 0), text: meant ?? '0', ...range };
}

const UNITLESS = 'numbers have no units here, and durations are in milliseconds';

/** Whether the other side of the comparison is a time in milliseconds, by its name. */
function isBesideTime(text: string, { start, end }: Range): boolean {
  return (
    TIME_BEFORE.test(text.slice(Math.max(0, start - MAX_BESIDE), start)) || matchAt(TIME_AFTER, text, end) !== undefined
  );
}

/** Whether the text is a number with units. */
export function isAmount(written: string): boolean {
  return matchAt(AMOUNT, written, 0)?.length === written.length;
}

/** A time in milliseconds, or thousands, in digits; `undefined` where the text is neither. `5M` may be millions. */
export function numberOfAmount(written: string): string | undefined {
  if (!isAmount(written) || MILLIONS.test(written)) return undefined;
  const parts = written.matchAll(/([\d_.]+)\s*(\p{L}+)/gu);
  const sum = parts.reduce(
    (so, [, digits = '', unit = '']) => so + Number(digits.replaceAll('_', '')) * factorOf(unit),
    0,
  );
  const text = String(Number(sum.toPrecision(15)));
  return /^[\d.]+$/.test(text) ? text : undefined;
}

/** Of milliseconds, or of one. */
function factorOf(unit: string): number {
  const short = unit.toLowerCase();
  return FACTORS.find(([names]) => names.split(' ').includes(short))?.[1] ?? 1;
}

/** The number that a piece says, or that was meant where only zeros or `_` are misplaced; `undefined` where it is none. */
export function numberOf(written: string): string | undefined {
  return digitsOf(written) ?? digitsOf(written.replaceAll('_', '').replace(/^0+(?=\d)/, ''));
}

/** A number in decimal digits, as JSON has it; `undefined` where it is none. */
function digitsOf(written: string): string | undefined {
  const plain = written.replaceAll('_', '');
  if (WHOLE.test(written)) return Number.isFinite(Number(plain)) ? BigInt(plain).toString() : plain;
  if (!DECIMAL.test(written)) return undefined;
  return plain
    .replace(/^\./, '0.')
    .replace(/\.(?=$|[eE])/, '.0')
    .replace(/^0+(?=\d)/, '');
}

const FACTORS: readonly (readonly [names: string, factor: number])[] = [
  ['ns', 1e-6],
  ['us µs μs', 1e-3],
  ['ms msec msecs millisecond milliseconds', 1],
  ['s sec secs second seconds k', 1000],
  ['m min mins minute minutes', 60_000],
  ['h hr hrs hour hours', 3_600_000],
  ['d day days', 86_400_000],
];

const UNITS = FACTORS.flatMap(([names]) => names.split(' '))
  .toSorted((a, b) => b.length - a.length)
  .join('|');
/** Behind a number no name can stand, so that nothing else is meant. */
const AMOUNT = new RegExp(String.raw`(?:\d[\d_]{0,20}(?:\.\d{1,20})?\s?(?:${UNITS})){1,4}(?![\p{ID_Continue}])`, 'iuy');

const COUNT = /^[\d_.]+\s?k$/i;
const MILLIONS = /M(?!\p{L})/u;

const TIME_BEFORE = /_ms\s*(?:[=!<>]=?|=[<>]|[≤≥≠])\s*$/;
const TIME_AFTER = /\s*(?:[=!<>]=?|=[<>]|[≤≥≠])\s*[\p{ID_Start}_][\w.]{0,100}_ms(?![\p{ID_Continue}.[(])/uy;
/** How far a name that is compared with a number can be from it. */
const MAX_BESIDE = 40;

/** All that hangs together after a digit. */
export const NUMBER_LIKE = /\.?\d(?:[eE][+-]?(?=\d)|[\p{ID_Continue}]|\.(?=\d|[eE][+-]?\d|(?![\p{ID_Start}_.])))*/uy;

const WHOLE = /^(?:0(?:_?0)*|[1-9](?:_?\d)*|0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)$/;
const DECIMAL = /^(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?|(?=[eE]))|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/;
