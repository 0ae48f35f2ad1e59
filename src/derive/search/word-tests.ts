/**
 * What the words of a text must be for the text to hold a pattern: tests that an index of words can make. They may hold of texts
 * without the pattern, but of every text with it, also where that is JSON and the index has the words of its strings.
 */

import { foldWord } from './fold.ts';
import { piecesOf, tokenize } from './tokenizer.ts';

/** A test of the words of a text: one of them must be, begin with, end with or hold `text`. */
export interface WordTest {
  readonly text: string;
  readonly as: 'word' | 'beginning' | 'end' | 'inside';
}

/** What is asked of the words of a text. */
export interface WordTests {
  /** All must hold; none where the words tell nothing. */
  readonly tests: readonly WordTest[];
  /** Whether they do not hold of JSON that writes characters by their numbers. */
  readonly isForPlainJson: boolean;
}

/**
 * The tests of a pattern, the most telling first. Of scripts with spaces, only letters are looked at whose folding does not depend on
 * their neighbours.
 * @param folded the pattern as filters fold it
 */
export function wordTests(folded: string): WordTests {
  const tests: WordTest[] = [];
  /** One that fails where the pattern begins inside an escape. */
  let ofPlainJson: WordTest | undefined;
  for (const { 0: run, index } of folded.matchAll(RUN)) {
    const before = folded.slice(Math.max(index - 2, 0), index);
    const after = folded.slice(index + run.length, index + run.length + 2);
    for (const { text: piece, isUnspaced, start } of piecesOf(run)) {
      const isAtEnd = start + piece.length === run.length;
      if (isUnspaced) tests.push(...pairTests(piece, isAtEnd && after !== '' && !BEGINS_BEYOND_ASCII.test(after)));
      if (isUnspaced || !isAtEnd || start > 0 || !SIMPLE.test(piece)) continue;
      // What follows a backslash may be part of an escape, which stands for another character.
      if (before.endsWith('\\') || ENDS_BEYOND_ASCII.test(before) || BEGINS_BEYOND_ASCII.test(after)) continue;
      const isFirst = index === 0;
      const goesOn = after === '' || after.startsWith('\\');
      // The pattern itself may begin inside an escape, whose last character is folded together with marks behind it.
      const letters = piece.normalize('NFD');
      const text = foldWord(isFirst && ESCAPED.test(letters) ? letters.slice(1) : piece);
      const as = isFirst ? (goesOn ? 'inside' : 'end') : goesOn ? 'beginning' : 'word';
      if (text === '' || isOfLiteral(text, as)) continue;
      const test: WordTest = { text, as };
      if (isFirst && NUMBERED.test(letters)) ofPlainJson = test;
      tests.push(test);
    }
  }
  tests.sort((a, b) => b.text.length - a.text.length);
  const isForPlainJson = ofPlainJson !== undefined && tests[0] === ofPlainJson;
  const asked = isForPlainJson ? tests : tests.filter((test) => test !== ofPlainJson);
  return { tests: asked.slice(0, MAX_TESTS), isForPlainJson };
}

/** Tests of the pairs of letters of a script that writes no spaces. */
function pairTests(piece: string, isClosed: boolean): readonly WordTest[] {
  if (MODIFIER.test(piece)) return [];
  const pairs = tokenize(piece).words;
  // The last letter alone is a word only where the run ends with it.
  const asked = pairs.length === 1 ? pairs : pairs.slice(0, -1);
  return asked.flatMap(({ text, end }): readonly WordTest[] => {
    if (HANGUL.test(text)) return [];
    if (end < piece.length || isClosed) return [{ text, as: 'word' }];
    // A text may go on with what modifies the letter.
    return ENDS_WITH_HAN.test(text) ? [{ text, as: 'beginning' }] : [];
  });
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const ENDS_BEYOND_ASCII = /[^\0-\x7f]$/u;
const BEGINS_BEYOND_ASCII = /^[^\0-\x7f]/u;

/** Letters that are folded each by itself, with the marks that folding takes away. */
const LETTER = String.raw`a-z0-9[\p{L}&&[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]]`;
const SIMPLE = new RegExp(String.raw`^[${LETTER}][${LETTER}\u0300-\u036f]*$`, 'v');

const MODIFIER = /^[\p{M}\uff9e\uff9f]/u;
const ENDS_WITH_HAN = /[\u3400-\u4dbf\u4e00-\u9fff]$/;

/** Its letters are put together from others, also across the pairs that the index has. */
const HANGUL = /\p{Script=Hang}/u;

/** The letter of `\n` and its like. */
const ESCAPED = /^[bfnrt]/;
/** The rest of `\u00e9`. */
const NUMBERED = /^[0-9a-fu]/;

/** More make no difference. */
const MAX_TESTS = 4;

/** Words of JSON that are no texts. */
const LITERALS = ['true', 'false', 'null'];

function isOfLiteral(text: string, as: WordTest['as']): boolean {
  return LITERALS.some((literal) => isMet({ text, as }, literal));
}

/** Whether a word passes a test. */
export function isMet({ text, as }: WordTest, word: string): boolean {
  switch (as) {
    case 'word':
      return word === text;
    case 'beginning':
      return word.startsWith(text);
    case 'end':
      return word.endsWith(text);
    case 'inside':
      return word.includes(text);
  }
}
