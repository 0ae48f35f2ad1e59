/** Numbers with units, which the filter language does not have. */
import { type DiagnosticList, quote, type Range } from './diagnostic.ts';
import { matchAt } from './scan.ts';
import type { Token } from './token.ts';

/** The amount that begins at the place: `5s`, `1.5 hours`, `1h30m`, `10k`. It is reported, and stands for the number that was meant, or 0. */
export function readAmount(text: string, start: number, diagnostics: DiagnosticList): Token | undefined {
  const written = matchAt(AMOUNT, text, start);
  if (written === undefined) return undefined;
  const range = { start, end: start + written.length };
  const isCount = COUNT.test(written);
  const meant = isCount || isBesideTime(text, range) ? numberOfAmount(written) : undefined;
  const advice = meant === undefined ? UNITLESS : `write ${meant}${isCount ? '' : ' for milliseconds'}`;
  diagnostics.error('bad_number', range, `${quote(written)} is not a number: ${advice}`, meant);
  return { kind: 'number', value: Number(meant ?? 0), text: meant ?? '0', ...range };
}

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
    (so, [, digits = '', unit = '']) =>
      so + Number(digits.replaceAll('_', '')) * (FACTORS.get(unit.toLowerCase()) ?? 1),
    0,
  );
  const text = String(Number(sum.toPrecision(15)));
  return /^[\d.]+$/.test(text) ? text : undefined;
}

/** What a unit is in milliseconds, and `k`, which is the same of one. */
const FACTORS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ns: 1e-6,
    'us µs μs': 1e-3,
    'ms msec msecs millisecond milliseconds': 1,
    's sec secs second seconds k': 1000,
    'm min mins minute minutes': 60_000,
    'h hr hrs hour hours': 3_600_000,
    'd day days': 86_400_000,
  }).flatMap(([names, factor]) => names.split(' ').map((name) => [name, factor] as const)),
);

const UNITS = [...FACTORS.keys()].toSorted((a, b) => b.length - a.length).join('|');
/** Behind a number no name can stand, so that nothing else is meant. */
const AMOUNT = new RegExp(String.raw`(?:\d[\d_]{0,20}(?:\.\d{1,20})?\s?(?:${UNITS})){1,4}(?![\p{ID_Continue}])`, 'iuy');

const COUNT = /^[\d_.]+\s?k$/i;
const MILLIONS = /M(?!\p{L})/u;

const TIME_BEFORE = /_ms\s*(?:[=!<>]=?|=[<>]|[≤≥≠])\s*$/;
const TIME_AFTER = /\s*(?:[=!<>]=?|=[<>]|[≤≥≠])\s*[\p{ID_Start}_][\w.]{0,100}_ms(?![\p{ID_Continue}.[(])/uy;
/** How far a name that is compared with a number can be from it. */
const MAX_BESIDE = 40;

const UNITLESS = 'numbers have no units here, and durations are in milliseconds';
