/** Takes the text of a filter apart into words, once from left to right. */
import { type DiagnosticList, quote } from './diagnostic.ts';
import { readBare, readUnopened } from './lex-bare.ts';
import { readNumber } from './lex-number.ts';
import { readProse } from './lex-prose.ts';
import { readText } from './lex-text.ts';
import { matchAt } from './scan.ts';
import { KEYWORDS, type Keyword, SIGNS, type Sign, type Token } from './token.ts';

/**
 * The words of a text, closed by an `end`. What is no word is reported and passed over, or read as what was meant.
 * @param readsProse whether several words can be a text without its quotes
 */
export function lex(text: string, diagnostics: DiagnosticList, { readsProse = true } = {}): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (at >= text.length) break;
    const before = tokens.at(-1);
    const prose = readsProse ? readProse(text, at, tokens) : undefined;
    const unopened = prose === undefined ? readUnopened(text, at, before, diagnostics) : undefined;
    if (unopened !== undefined) tokens.pop();
    const found = readPlace(text, at, before) ?? [prose ?? unopened ?? tokenAt(text, at, before, diagnostics)];
    for (const token of found) if (token !== undefined) tokens.push(token);
    at = found.at(-1)?.end ?? skipUnknown(text, at, diagnostics);
  }
  tokens.push({ kind: 'end', start: trimmedLength(text), end: text.length });
  return tokens;
}

function tokenAt(
  text: string,
  start: number,
  before: Token | undefined,
  diagnostics: DiagnosticList,
): Token | undefined {
  return (
    readText(text, start, diagnostics) ??
    readBare(text, start, before, diagnostics) ??
    readName(text, start, diagnostics) ??
    readNumber(text, start, diagnostics) ??
    readForeign(text, start, diagnostics) ??
    readSign(text, start)
  );
}

/** `.0` behind a name: a place in a list, which otherwise would be a number. */
function readPlace(text: string, start: number, before: Token | undefined): readonly Token[] | undefined {
  if (before?.end !== start) return undefined;
  if (before.kind !== 'name' && before.kind !== 'number' && text[start - 1] !== ']') return undefined;
  const written = matchAt(PLACE, text, start);
  if (written === undefined) return undefined;
  const [dot, end] = [start + 1, start + written.length];
  const digits = written.slice(1);
  return [
    { kind: 'sign', sign: '.', start, end: dot },
    { kind: 'number', value: Number(digits), text: digits, start: dot, end },
  ];
}

function readName(text: string, start: number, diagnostics: DiagnosticList): Token | undefined {
  const name = matchAt(NAME, text, start);
  if (name === undefined) return undefined;
  const range = { start, end: start + name.length };
  if (isKeyword(name)) return { kind: 'keyword', word: name, ...range };
  const plain = name.normalize('NFKC');
  if (!isKeyword(plain)) return { kind: 'name', name, ...range };
  diagnostics.error('look_alike', range, `${quote(name)} only looks like \`${plain}\`: write \`${plain}\``, plain);
  return { kind: 'keyword', word: plain, ...range };
}

function readSign(text: string, start: number): Token | undefined {
  const sign = SIGNS.find((candidate) => text.startsWith(candidate, start));
  return sign === undefined ? undefined : { kind: 'sign', sign, start, end: start + sign.length };
}

/** Signs of other languages, read as those that were meant. */
function readForeign(text: string, start: number, diagnostics: DiagnosticList): Token | undefined {
  const found = FOREIGN.find(([written]) => matchAt(written, text, start) !== undefined);
  if (found === undefined) return undefined;
  const [pattern, meant] = found;
  const written = matchAt(pattern, text, start) ?? '';
  const range = { start, end: start + written.length };
  const isWord = isKeyword(meant);
  const pad = (unit: string | undefined) => (isWord && unit !== undefined && !/\s/.test(unit) ? ' ' : '');
  const repair = pad(text[start - 1]) + meant + pad(text[range.end]);
  diagnostics.error('unsupported', range, `${quote(written)} is not an operator here: write \`${meant}\``, repair);
  return isWord ? { kind: 'keyword', word: meant, ...range } : { kind: 'sign', sign: meant, ...range };
}

const FOREIGN: readonly (readonly [written: RegExp, meant: Keyword | Sign])[] = [
  [/===|=(?![=<>])/y, '=='],
  [/!==|<>|≠/y, '!='],
  [/=>|≥/y, '>='],
  [/=<|≤/y, '<='],
  [/&&?/y, 'and'],
  [/\|\|?/y, 'or'],
  [/!(?!=)/y, 'not'],
];

function skipUnknown(text: string, start: number, diagnostics: DiagnosticList): number {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  const end = start + character.length;
  diagnostics.error('bad_character', { start, end }, `${quote(character)} has no meaning here: remove it`, '');
  return end;
}

function skipBlanks(text: string, start: number): number {
  return start + (matchAt(BLANKS, text, start)?.length ?? 0);
}

function trimmedLength(text: string): number {
  return text.trimEnd().length;
}

function isKeyword(text: string): text is Keyword {
  return (KEYWORDS as readonly string[]).includes(text);
}

const BLANKS = /[\s\uFEFF]+/y;
const PLACE = /\.(?:0|[1-9]\d{0,8})(?![\p{ID_Continue}])/uy;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
