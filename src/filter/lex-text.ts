/** Texts of the filter language: what stands in quotes. */
import { type DiagnosticList, quote, type Range } from './diagnostic.ts';
import { matchAt } from './scan.ts';
import type { Token } from './token.ts';

/** The text in quotes that begins at the place, its escapes resolved. One without an end reaches to the end of its line. */
export function readText(text: string, start: number, diagnostics: DiagnosticList): Token | undefined {
  const doubled = matchAt(DOUBLED, text, start);
  if (doubled !== undefined) return readDoubled(doubled, start, diagnostics);
  const opening = matchAt(OPENING, text, start);
  if (opening === undefined) return undefined;
  const prefix = matchAt(PREFIX, opening, 0) ?? '';
  const mark = opening.slice(prefix.length);
  const body = start + opening.length;
  const closing = matchAt(BODIES[mark] ?? TYPOGRAPHIC_BODY, text, body);
  const isClosed = closing !== undefined;
  const markLength = mark in BODIES ? mark.length : 1;
  const end = body + (closing ?? openBody(text, body, mark)).length;
  const range = { start, end };
  const inner = text.slice(body, isClosed ? end - markLength : end);
  if (!isClosed) reportOpen(text, range, mark, diagnostics);
  else if (!(mark in BODIES)) reportTypographic(text, range, inner, diagnostics);
  if (/[bft]/i.test(prefix)) {
    const without = text.slice(start + prefix.length, end);
    const message = `a text cannot have the prefix \`${prefix}\`: write ${shorten(without)}`;
    diagnostics.error('unsupported', range, message, without);
  }
  const value = /r/i.test(prefix) ? inner : unescape(inner, body, diagnostics);
  if (value.includes('\0')) diagnostics.error('nul', range, NUL_MESSAGE);
  return { kind: 'text', value, isClosed, ...range };
}

/** `''x''`, as other languages write a mark within a text, and `'x"`: one text, whatever its marks. */
function readDoubled(written: string, start: number, diagnostics: DiagnosticList): Token {
  const value = written.replaceAll(/^['"]+|['"]+$/g, '');
  const range = { start, end: start + written.length };
  const quoted = quoteText(value);
  const message = `${quote(written)} needs the same single mark at both ends: write ${shorten(quoted)}`;
  diagnostics.error('bad_text', range, message, quoted);
  return { kind: 'text', value, isClosed: true, ...range };
}

/** A text in quotes, as {@link readText} reads it back: in one line, and with nothing invisible. */
export function quoteText(value: string): string {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  return mark + value.replaceAll(ESCAPED, (unit) => escapeOf(unit, mark)) + mark;
}

/** How far an unclosed text extends: up to where a comparison continues after it, otherwise to the end of its line. */
function openBody(text: string, body: number, mark: string): string {
  const line = matchAt(LINE, text, body) ?? '';
  const goesOn = mark.length === 1 && mark in BODIES && line.length <= MAX_LINE ? line.search(GOES_ON) : -1;
  return goesOn === -1 ? line : line.slice(0, goesOn);
}

function reportOpen(text: string, range: Range, mark: string, diagnostics: DiagnosticList): void {
  const written = text.slice(range.start, range.end);
  const isShown = mark.length === 1 && mark in BODIES && !written.endsWith('\\');
  const repair = isShown ? written.trimEnd() + mark : undefined;
  diagnostics.error('bad_text', range, `the text ${quote(written)} is not closed: close it with \`${mark}\``, repair);
}

function reportTypographic(text: string, range: Range, inner: string, diagnostics: DiagnosticList): void {
  const straight = quoteText(inner);
  const written = quote(text.slice(range.start, range.end));
  const marks = /[`´]/.test(text.charAt(range.start)) ? 'backticks for' : 'typographic';
  const message = `${written} has ${marks} quotation marks: write ${shorten(straight)}`;
  diagnostics.error('bad_text', range, message, straight);
}

function unescape(inner: string, offset: number, diagnostics: DiagnosticList): string {
  if (!inner.includes('\\')) return inner;
  return inner.replaceAll(ESCAPE, (escape: string, at: number) => {
    const character = characterOf(escape);
    if (character !== undefined) return character;
    const range = { start: offset + at, end: offset + at + escape.length };
    diagnostics.error('bad_text', range, `${quote(escape)} is not an escape: write \`\\\\\` for a backslash`, {
      ...range,
      text: `\\${escape}`,
    });
    return '';
  });
}

/** What an escape stands for; unknown ones, as `\d`, stand for themselves. */
function characterOf(escape: string): string | undefined {
  const letter = escape.charAt(1);
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return simple;
  if (/[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(escape.slice(1), 8));
  if (!/[xuUN]/.test(letter)) return escape;
  const digits = escape.slice(2);
  if (letter === 'N' || digits.length !== HEX_DIGITS[letter]) return undefined;
  const codePoint = Number.parseInt(digits, 16);
  return codePoint > 0x10ffff ? undefined : String.fromCodePoint(codePoint);
}

function escapeOf(unit: string, mark: string): string {
  if (unit === "'" || unit === '"') return unit === mark ? `\\${unit}` : unit;
  const short = SHORT_ESCAPES[unit];
  if (short !== undefined) return short;
  const code = unit.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

function shorten(quoted: string): string {
  return quoted.length > MAX_SHOWN ? `${quoted.slice(0, MAX_SHOWN)}…` : quoted;
}

/** What is said of a NUL, written or escaped. */
export const NUL_MESSAGE = 'the filter contains a NUL character, which no stored text contains: remove it';

const MAX_SHOWN = 60;

const OPENING = /[rubft]{0,2}(?:'''|"""|['"])|[“”„«‹‘’‚]|[`´](?=[^`´'"\r\n]{1,1000}[`´])/iuy;
/**
 * Two marks at both ends, around what has none, or two that differ. A text that ends in its line, or continues on the next,
 * is neither.
 */
const DOUBLED = new RegExp(
  [
    ...["'", '"'].map(
      (mark) => `${mark}{2}(?!${mark})(?!(?:and|or|in|not|is|for|if)\\b)(?=\\w)[^'"\\r\\n]{1,1000}${mark}{2}`,
    ),
    ...[`'"`, `"'`].map(
      ([from, to]) =>
        `${from}[^'"\\r\\n]{1,1000}${to}(?=\\s*(?:$|[)\\],]|(?:and|or|in)\\s))(?![^${from}\\r\\n]*(?:${from}|\\\\[\\r\\n]))`,
    ),
  ].join('|'),
  'iuy',
);
const PREFIX = /[rubft]+/iy;

/** From behind an opening mark to behind the closing one. */
const BODIES: Readonly<Record<string, RegExp>> = {
  "'": /(?:[^'\\\r\n]|\\[^])*'/y,
  '"': /(?:[^"\\\r\n]|\\[^])*"/y,
  "'''": /(?:[^'\\]|\\[^]|'(?!''))*'''/y,
  '"""': /(?:[^"\\]|\\[^]|"(?!""))*"""/y,
};
const TYPOGRAPHIC_BODY = /[^“”»›‘’`´"'\r\n]*[“”»›‘’`´"']/y;
const LINE = /[^\r\n]*/y;

/** `… in name`, and `… and name ==`, behind a text. */
const GOES_ON =
  /\s(?:(?:not\s+)?in\s+[\p{ID_Start}_][\w.]*\s*(?:$|\)|(?:and|or)\b)|(?:and|or)\s+(?:not\s+)?[\p{ID_Start}_][\w.]*\s*(?:[=!<>]|(?:in|is)\b))/u;
/** Longer ones are not looked through. */
const MAX_LINE = 1000;

const ESCAPE = /\\(?:[0-7]{1,3}|x[\da-fA-F]{0,2}|u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|N(?:\{[^}]*\})?|\r\n|[^])/g;
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\r': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** What is not written as it is: marks, backslashes, control characters, ends of lines, halves of pairs. */
const ESCAPED = /['"\\\p{Cc}\u2028\u2029\uFEFF\p{Cs}]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
