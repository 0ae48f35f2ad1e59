/**
 * Words of a text, the same for every engine: an index is handed words, and never takes a text apart itself.
 *
 * A word is a run of letters, numbers and marks; everything else separates. So `order_id`, `a.b` and `2f6c-41d0` are
 * their parts one after the other, and found whole as a phrase of them. A word in which letter case or digits begin
 * something new (`getUserName`, `order1234`) is also indexed by its parts, beside the words, so that phrases stay phrases.
 * Scripts that write no spaces are indexed in overlapping pairs of letters, and the last letter of a run alone.
 */
import { foldUnspaced, foldWord } from './fold.ts';

/** Changes whenever the same span gives other words or doubts; everything is then indexed again. */
export const TOKENIZER_VERSION = 4;

/** A word, folded, and where it stands, in UTF-16 code units. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is of a script that writes no spaces: a pair of letters, or the last one of a run. */
  readonly isUnspaced: boolean;
}

/** The words of a text in order, and beside them the parts of compound ones in order. */
export interface TextTokens {
  readonly words: readonly Token[];
  readonly parts: readonly Token[];
}

/** The longest word, in UTF-16 code units; a longer one is known by its beginning. */
const MAX_WORD = 64;

/** A stretch of letters, digits and the signs of base64 that is no text but data; its beginning is indexed. */
const MAX_STRETCH = 512;
const INDEXED_STRETCH = 64;

/** A word of more parts is no compound but an id, or data. */
const MAX_PARTS = 6;

/** Takes the words of a text, and the parts of compound ones, each of both in order. */
export interface WordVisitor {
  word(text: string, start: number, end: number, isUnspaced: boolean): void;
  /** A word that stands in the text as it is. @param units the UTF-16 code units of the text, and whatever is beyond */
  plainWord(text: string, units: Uint16Array, start: number, end: number): void;
  part(text: string, start: number, end: number): void;
}

/** The words of the text. */
export function tokenize(text: string): TextTokens {
  const words: Token[] = [];
  const parts: Token[] = [];
  visitWords(text, {
    word: (word, start, end, isUnspaced) => words.push({ text: word, start, end, isUnspaced }),
    plainWord: (of, _units, start, end) => words.push({ text: of.slice(start, end), start, end, isUnspaced: false }),
    part: (part, start, end) => parts.push({ text: part, start, end, isUnspaced: false }),
  });
  return { words, parts };
}

/** Hands the words of the text to the visitor. */
export function visitWords(text: string, visitor: WordVisitor): void {
  const { length } = text;
  const units = unitsOf(text);
  let stretchStart = -1;
  /** How far the stretch is known to be no data. */
  let cleanUpTo = 0;
  for (let at = 0; at < length; ) {
    const code = units[at] as number;
    if (code < ASCII_END) {
      const kind = CLASSES[code] as number;
      if (kind === OTHER) {
        stretchStart = -1;
        at++;
        continue;
      }
      if (stretchStart < 0) stretchStart = at;
      else if (at >= stretchStart + INDEXED_STRETCH && at >= cleanUpTo) {
        cleanUpTo = endOfStretch(text, at);
        if (cleanUpTo - stretchStart >= MAX_STRETCH) {
          at = cleanUpTo;
          stretchStart = -1;
          continue;
        }
      }
      if (kind === JOINER) {
        at++;
        continue;
      }
      let end = at + 1;
      let kinds = kind;
      let next = end < length ? (units[end] as number) : 0;
      while (next < ASCII_END && (CLASSES[next] as number) >= WORD) {
        kinds |= CLASSES[next] as number;
        next = ++end < length ? (units[end] as number) : 0;
      }
      if (next < ASCII_END) {
        const isPlain = (kinds === LOWER || kinds === DIGIT) && end - at <= MAX_WORD;
        if (isPlain) visitor.plainWord(text, units, at, end);
        else visitAscii(visitor, text.slice(at, end), at);
        at = end;
        continue;
      }
    }
    stretchStart = -1;
    RUN.lastIndex = at;
    const run = RUN.exec(text)?.[0];
    if (run === undefined) {
      // Half a pair, as texts that were cut have it, takes no letter with it.
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    visitRun(visitor, run, at);
    at += run.length;
  }
}

/** The code units of a text, until those of the next are asked for: reading them costs a fraction of asking the text for each. */
function unitsOf(text: string): Uint16Array {
  if (text.length > scratch.length) scratch = new Uint16Array(Math.max(text.length, 2 * scratch.length));
  Buffer.from(scratch.buffer).write(text, 'utf16le');
  return scratch;
}

let scratch = new Uint16Array(4096);

/** Where a stretch of data ends; letters that belong to a word beyond ASCII are not part of it. */
function endOfStretch(text: string, from: number): number {
  let end = from;
  while (end < text.length && isInStretch(text.charCodeAt(end))) end++;
  if (end === text.length || text.charCodeAt(end) < ASCII_END) return end;
  while (end > from && isWord(text.charCodeAt(end - 1))) end--;
  return end;
}

function isInStretch(code: number): boolean {
  return code < ASCII_END && CLASSES[code] !== OTHER;
}

/** Whether {@link tokenize} cuts a word of the text, or leaves one out. */
export function losesWords(text: string): boolean {
  const isAscii = Buffer.byteLength(text) === text.length;
  return isAscii ? hasLongWord(text) : losesWordsBeyondAscii(text);
}

/** Of the letters of a word that is too long, or of a stretch, one stands at a multiple of its length. */
function hasLongWord(text: string): boolean {
  for (let at = 0; at < text.length; at += MAX_WORD) {
    if (!isInStretch(text.charCodeAt(at))) continue;
    if (runAround(text, at, isWord) > MAX_WORD) return true;
    if (at % MAX_STRETCH === 0 && runAround(text, at, isInStretch) >= MAX_STRETCH) return true;
  }
  return false;
}

function isWord(code: number): boolean {
  return code < ASCII_END && (CLASSES[code] as number) >= WORD;
}

function runAround(text: string, at: number, isOfRun: (code: number) => boolean): number {
  let [start, end] = [at, at];
  while (start > 0 && isOfRun(text.charCodeAt(start - 1))) start--;
  while (end < text.length && isOfRun(text.charCodeAt(end))) end++;
  return end - start;
}

function losesWordsBeyondAscii(text: string): boolean {
  let [wordLength, stretchLength, mayBeLong] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isAscii = code < ASCII_END;
    const kind = isAscii ? (CLASSES[code] as number) : WORD;
    wordLength = kind >= WORD ? wordLength + (isAscii ? 1 : LONGEST_FOLDED) : 0;
    stretchLength = isAscii && kind !== OTHER ? stretchLength + 1 : 0;
    if (stretchLength >= MAX_STRETCH) return true;
    mayBeLong ||= wordLength > MAX_WORD;
  }
  return mayBeLong && (text.match(RUNS) ?? []).some((run) => (run.match(PIECES) ?? []).some(isCut));
}

function isCut(piece: string): boolean {
  return !UNSPACED.test(piece) && foldWord(piece).length > MAX_WORD;
}

/** What the letter that becomes the longest is when it is folded: U+FDFA. */
const LONGEST_FOLDED = 18;

const ASCII_END = 0x80;
const [OTHER, JOINER, LOWER, UPPER, DIGIT] = [0, 1, 2, 4, 8];
/** From here on it is of a word. */
const WORD = LOWER;

/** What each ASCII character is; beyond it everything is undefined. */
const CLASSES = Uint8Array.from({ length: ASCII_END }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  return /[+/=_-]/.test(character) ? JOINER : OTHER;
});

const RUN = /[\p{L}\p{N}\p{M}]+/uy;
const RUNS = new RegExp(RUN.source, 'gu');

function visitAscii(visitor: WordVisitor, word: string, start: number): void {
  visitor.word(cut(word.toLowerCase()), start, start + word.length, false);
  if (word.length <= MAX_WORD && ASCII_COMPOUND.test(word)) visitParts(visitor, word, start, ASCII_PART);
}

/** The parts cover the word, so each begins where the one before it ends. */
function visitParts(visitor: WordVisitor, word: string, wordStart: number, part: RegExp): void {
  const parts = word.match(part) ?? [];
  if (parts.length < 2 || parts.length > MAX_PARTS) return;
  let start = wordStart;
  for (const sent of parts) {
    const end = start + sent.length;
    const text = cut(foldWord(sent));
    if (text !== '') visitor.part(text, start, end);
    start = end;
  }
}

const ASCII_COMPOUND = /[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/;
const COMPOUND = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{Nd}|\p{Nd}\p{L}/u;
const ASCII_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Nd}+|[^\p{Lu}\p{Ll}\p{Nd}]+/gu;

/** A run with letters beyond ASCII, which may go over from one script to another. */
function visitRun(visitor: WordVisitor, run: string, start: number): void {
  for (const { text: piece, isUnspaced, start: offset } of piecesOf(run)) {
    const at = start + offset;
    if (isUnspaced) visitUnspaced(visitor, piece, at);
    else {
      const text = cut(foldWord(piece));
      if (text !== '') {
        visitor.word(text, at, at + piece.length, false);
        if (piece.length <= MAX_WORD && COMPOUND.test(piece)) visitParts(visitor, piece, at, PART);
      }
    }
  }
}

const UNSPACED_LETTERS = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const UNSPACED = new RegExp(`^[${UNSPACED_LETTERS}]`, 'u');
const PIECES = new RegExp(String.raw`[${UNSPACED_LETTERS}][${UNSPACED_LETTERS}\p{M}]*|[^${UNSPACED_LETTERS}]+`, 'gu');

/** The pieces of a run of letters, numbers and marks, which are of scripts that write no spaces, or of others. */
export function* piecesOf(
  run: string,
): Generator<{ readonly text: string; readonly isUnspaced: boolean; readonly start: number }> {
  for (const { 0: text, index } of run.matchAll(PIECES)) yield { text, isUnspaced: UNSPACED.test(text), start: index };
}

/** A letter with what modifies it. */
const LETTER = /[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gu;

function visitUnspaced(visitor: WordVisitor, run: string, start: number): void {
  const letters: { readonly text: string; readonly start: number; readonly end: number }[] = [];
  for (const { 0: letter, index } of run.matchAll(LETTER)) {
    const text = foldUnspaced(letter);
    const letterStart = start + index;
    if (text !== '') letters.push({ text, start: letterStart, end: letterStart + letter.length });
  }
  for (const [place, letter] of letters.entries()) {
    const next = letters[place + 1];
    if (next === undefined) visitor.word(cut(letter.text), letter.start, letter.end, true);
    else visitor.word(cut(letter.text + next.text), letter.start, next.end, true);
  }
}

/** Never half of a surrogate pair. */
function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\uD800-\uDBFF]$/, '');
}
