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
export const TOKENIZER_VERSION = 3;

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

/** The words of the text. */
export function tokenize(text: string): TextTokens {
  const tokens: Tokens = { words: [], parts: [] };
  const { length } = text;
  let stretchStart = -1;
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at);
    if (code < ASCII_END && CLASSES[code] === OTHER) {
      dropData(tokens, stretchStart, at);
      stretchStart = -1;
      at++;
      continue;
    }
    if (code < ASCII_END) {
      if (stretchStart < 0) stretchStart = at;
      if (CLASSES[code] === JOINER) {
        at++;
        continue;
      }
      let end = at + 1;
      let isLowerCase = code >= LOWER_A;
      for (let next = text.charCodeAt(end); CLASSES[next] === WORD; next = text.charCodeAt(++end)) {
        isLowerCase &&= next >= LOWER_A;
      }
      if (end === length || text.charCodeAt(end) < ASCII_END) {
        addAscii(tokens, text.slice(at, end), at, isLowerCase);
        at = end;
        continue;
      }
    }
    dropData(tokens, stretchStart, at);
    stretchStart = -1;
    RUN.lastIndex = at;
    const run = RUN.exec(text)?.[0];
    if (run === undefined) {
      // Half a pair, as texts that were cut have it, takes no letter with it.
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    addRun(tokens, run, at);
    at += run.length;
  }
  dropData(tokens, stretchStart, length);
  return tokens;
}

/** Whether {@link tokenize} cuts a word of the text, or leaves one out. */
export function losesWords(text: string): boolean {
  let [wordLength, stretchLength, mayBeLong] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isAscii = code < ASCII_END;
    const kind = isAscii ? CLASSES[code] : WORD;
    wordLength = kind === WORD ? wordLength + (isAscii ? 1 : LONGEST_FOLDED) : 0;
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

/** Folded words and parts alone, joined by spaces, as an index takes them. */
export function indexedWords(text: string): { readonly words: string; readonly parts: string } {
  const { words, parts } = tokenize(text);
  return { words: joinTexts(words), parts: joinTexts(parts) };
}

function joinTexts(tokens: readonly Token[]): string {
  return tokens.map((token) => token.text).join(' ');
}

interface Tokens {
  readonly words: Token[];
  readonly parts: Token[];
}

const ASCII_END = 0x80;
const LOWER_A = 0x61;
const [OTHER, WORD, JOINER] = [0, 1, 2];

/** What each ASCII character is; beyond it everything is undefined. */
const CLASSES = Uint8Array.from({ length: ASCII_END }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9]/.test(character)) return WORD;
  return /[+/=_-]/.test(character) ? JOINER : OTHER;
});

const RUN = /[\p{L}\p{N}\p{M}]+/uy;
const RUNS = new RegExp(RUN.source, 'gu');

/** Of a stretch that turns out to be data, the words beyond its beginning go. */
function dropData(tokens: Tokens, start: number, end: number): void {
  if (start < 0 || end - start < MAX_STRETCH) return;
  for (const list of [tokens.words, tokens.parts]) {
    while (list.length > 0 && (list.at(-1)?.start ?? 0) >= start + INDEXED_STRETCH) list.pop();
  }
}

function addAscii(tokens: Tokens, word: string, start: number, isLowerCase: boolean): void {
  const end = start + word.length;
  tokens.words.push({ text: cut(isLowerCase ? word : word.toLowerCase()), start, end, isUnspaced: false });
  if (!isLowerCase && word.length <= MAX_WORD && ASCII_COMPOUND.test(word)) addParts(tokens, word, start, ASCII_PART);
}

/** The parts cover the word, so each begins where the one before it ends. */
function addParts(tokens: Tokens, word: string, wordStart: number, part: RegExp): void {
  const parts = word.match(part) ?? [];
  if (parts.length < 2 || parts.length > MAX_PARTS) return;
  let start = wordStart;
  for (const sent of parts) {
    const end = start + sent.length;
    const text = foldWord(sent);
    if (text !== '') tokens.parts.push({ text, start, end, isUnspaced: false });
    start = end;
  }
}

const ASCII_COMPOUND = /[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/;
const COMPOUND = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{Nd}|\p{Nd}\p{L}/u;
const ASCII_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Nd}+|[^\p{Lu}\p{Ll}\p{Nd}]+/gu;

/** A run with letters beyond ASCII, which may go over from one script to another. */
function addRun(tokens: Tokens, run: string, start: number): void {
  let at = start;
  for (const [piece] of run.matchAll(PIECES)) {
    if (UNSPACED.test(piece)) addUnspaced(tokens, piece, at);
    else {
      const text = cut(foldWord(piece));
      if (text !== '') {
        tokens.words.push({ text, start: at, end: at + piece.length, isUnspaced: false });
        if (piece.length <= MAX_WORD && COMPOUND.test(piece)) addParts(tokens, piece, at, PART);
      }
    }
    at += piece.length;
  }
}

const UNSPACED_LETTERS = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const UNSPACED = new RegExp(`^[${UNSPACED_LETTERS}]`, 'u');
const PIECES = new RegExp(String.raw`[${UNSPACED_LETTERS}][${UNSPACED_LETTERS}\p{M}]*|[^${UNSPACED_LETTERS}]+`, 'gu');

/** A letter with what modifies it. */
const LETTER = /[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gu;

function addUnspaced(tokens: Tokens, run: string, start: number): void {
  const letters: Token[] = [];
  for (const { 0: letter, index } of run.matchAll(LETTER)) {
    const text = foldUnspaced(letter);
    const letterStart = start + index;
    if (text !== '') letters.push({ text, start: letterStart, end: letterStart + letter.length, isUnspaced: true });
  }
  for (const [place, letter] of letters.entries()) {
    const next = letters[place + 1];
    const pair = next === undefined ? letter : { ...letter, text: letter.text + next.text, end: next.end };
    tokens.words.push({ ...pair, text: cut(pair.text) });
  }
}

/** Never half of a surrogate pair. */
function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\uD800-\uDBFF]$/, '');
}
