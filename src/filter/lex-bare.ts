/** Texts that somebody wrote without quotes, or with one of them alone: read as those that were meant. */
import { type DiagnosticList, quote } from './diagnostic.ts';
import { isAmount } from './lex-amount.ts';
import { NUMBER_LIKE, numberOf } from './lex-number.ts';
import { quoteText } from './lex-text.ts';
import { matchAt } from './scan.ts';
import type { Token } from './token.ts';

/** An address, a time, a name of a model or the like, which as it stands is nothing that a filter can say. */
export function readBare(
  text: string,
  start: number,
  before: Token | undefined,
  diagnostics: DiagnosticList,
): Token | undefined {
  if (before?.kind === 'sign' && before.sign === '.' && before.end === start) return undefined;
  const value = matchAt(RUN, text, start)?.replace(/[.:;?]+$/, '');
  if (value === undefined) return undefined;
  const isCompared = before?.kind === 'sign' && COMPARISONS.has(before.sign);
  if (!ADDRESS.test(value) && !(isCompared && isNoExpression(value))) return undefined;
  const end = start + value.length;
  const quoted = quoteText(value);
  const message = `${quote(value)} is a text without quotes: write ${quoted}`;
  const isForeign = isCompared && text.slice(before.start, before.end) === '=';
  const repair = isForeign ? { start: before.start, end, text: `== ${quoted}` } : quoted;
  diagnostics.error('bad_text', { start, end }, message, repair);
  return { kind: 'text', value, isClosed: true, start, end };
}

/** `refund'`: a word with the closing quote alone, in place of the word. */
export function readUnopened(
  text: string,
  start: number,
  before: Token | undefined,
  diagnostics: DiagnosticList,
): Token | undefined {
  if (before?.kind !== 'name' || before.end !== start) return undefined;
  const mark = text[start];
  if (mark !== "'" && mark !== '"') return undefined;
  const next = text.indexOf(mark, start + 1);
  if (next !== -1 && !LINE_END.test(text.slice(start, Math.min(next, start + MAX_LINE)))) return undefined;
  const range = { start: before.start, end: start + 1 };
  const quoted = mark + before.name + mark;
  diagnostics.error(
    'bad_text',
    range,
    `the text ${quote(before.name + mark)} has no opening quote: write ${quoted}`,
    quoted,
  );
  return { kind: 'text', value: before.name, isClosed: true, ...range };
}

/** Whether it is a time, or holds what begins like a number and is none, so that it cannot be calculated with either. */
function isNoExpression(run: string): boolean {
  if (DATE.test(run)) return true;
  if (isAmount(run) || IMAGINARY.test(run)) return false;
  const pieces = run.match(PIECE) ?? [];
  return pieces.some((piece) => /^\.?\d/.test(piece) && numberOf(piece) === undefined);
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Longer ones are no slips. */
const RUN = /[\p{ID_Continue}][^\s'"“”„«»‘’()[\]{},<>=!&|]{0,199}/uy;
const ADDRESS = /[\p{ID_Continue}](?:@|:\/\/)[\p{ID_Continue}]/u;
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?$/i;
/** `2j`, of which it is said, as of amounts, that it is no number. */
const IMAGINARY = /^\d+j$/;
const PIECE = new RegExp(String.raw`[\p{ID_Start}_][\p{ID_Continue}]*|${NUMBER_LIKE.source}|[^]`, 'gu');
const LINE_END = /[\r\n]/;
/** Of a longer one no more is looked at. */
const MAX_LINE = 1000;
