/** Whatever holds a pattern has words that pass its tests, or is in doubt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase as foldLetters } from '#base/text';
import { ESCAPES, placeBit } from './scope.ts';
import { searchableTexts } from './searchable-texts.ts';
import { tokenize } from './tokenizer.ts';
import { isMet, wordTests } from './word-tests.ts';

/** What words and escapes are made of, letters that change when they are folded, and what the index cuts. */
const PIECES = [
  'a',
  'B',
  'nfoo',
  'true',
  'nu',
  'll',
  'beef',
  'u00e9',
  '7',
  '1.50',
  '-0',
  '1e5',
  '42',
  '0.0000001',
  ' ',
  '_',
  '-',
  '+',
  '/',
  '=',
  '"',
  '\\',
  '\\n',
  '\\u00e9',
  '\\u2019',
  '\n',
  '\t',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  "'",
  '.',
  '\0',
  '\u00a0',
  '\u200b',
  '\u0301',
  '\u0338',
  '\u037e',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'ﬁ',
  'ŉ',
  'Σ',
  'é',
  'Ω',
  '\ufdfa',
  '①',
  '½',
  'Ⅷ',
  '²',
  'K',
  'ſ',
  'ａ',
  '東',
  '京',
  '한',
  'ไ',
  'か',
  'カ',
  'ｶ',
  'ﾞ',
  '都',
  '\ufe00',
  '\u1112',
  '\u1161',
  '\u11ab',
  'ဥ',
  'ီ',
  'ำ',
  'нигде',
  'Й',
  'и\u0306',
  'ᲀ',
  'в',
  '\u0483',
  'πουθενά',
  'ᾳ',
  'ι',
  'ς',
  'ة',
  'ا',
  '\u0653',
  '\u3099',
  '\ud800',
  '😀',
  'A'.repeat(63),
  'b'.repeat(130),
  'd/+='.repeat(150),
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(true, null, 7, 1.5, -3, 12_345_678),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
    tie('value').map((value) => JSON.stringify(value)),
  ),
}));

/** JSON as different writers write it, and as none should. */
const written = fc
  .tuple(
    json.value,
    fc.constantFrom<(text: string) => string>(
      (plain) => plain,
      (plain) => plain.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      (plain) => plain.replaceAll('/', '\\/'),
      (plain) => plain.replace(/\b7\b/g, '7.0'),
      (plain) => plain.replace(/^\{/, '{"a":"hidden one","a":'),
      (plain) => plain.replace(/^\{"/, '{"a":"hidden one","a":"other","'),
    ),
  )
  .map(([value, rewrite]) => rewrite(JSON.stringify(value)));

const value = fc.oneof(
  text,
  written,
  written.map((one) => ` ${one}`),
);

/** As filters do. */
function foldCase(text: string): string {
  return foldLetters(foldLetters(text));
}

describe('the tests of a pattern', () => {
  it('hold of every text that holds it', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.nat(), fc.boolean(), (held, from, length, isUpper) => {
        const start = held.length === 0 ? 0 : from % held.length;
        const part = held.slice(start, start + 1 + (length % 24));
        const folded = foldCase(isUpper ? part.toUpperCase() : part);
        if (!foldCase(held).includes(folded)) return;
        expect(missed(held, folded)).toEqual([]);
      }),
      { numRuns: 20_000 },
    );
  });

  it('are these', () => {
    expect(wordTests('said recursively, that').tests).toEqual([
      { text: 'recursively', as: 'word' },
      { text: 'said', as: 'end' },
      { text: 'that', as: 'beginning' },
    ]);
    // A line break in JSON, and the text itself.
    expect(wordTests('nowhere').tests).toEqual([{ text: 'owhere', as: 'inside' }]);
    expect(wordTests('decision')).toEqual({ tests: [{ text: 'decision', as: 'inside' }], isForPlainJson: true });
    // A line break and an accent, which filters fold to one letter; the last digit of an escape and an accent.
    expect(wordTests('ńow').tests).toEqual([{ text: 'ow', as: 'inside' }]);
    expect(wordTests('été')).toEqual({ tests: [{ text: 'ete', as: 'inside' }], isForPlainJson: true });
    expect(wordTests('x\\nline two').tests).toEqual([
      { text: 'two', as: 'beginning' },
      { text: 'x', as: 'inside' },
    ]);
    expect(wordTests('нигде').tests).toEqual([{ text: 'нигде', as: 'inside' }]);
    expect(wordTests('где-то, всё').tests).toEqual([
      { text: 'где', as: 'end' },
      { text: 'все', as: 'beginning' },
      { text: 'то', as: 'word' },
    ]);
    expect(wordTests('東京都').tests).toEqual([
      { text: '東京', as: 'word' },
      { text: '京都', as: 'beginning' },
    ]);
    expect(wordTests('カタカナ').tests).toEqual([
      { text: 'カタ', as: 'word' },
      { text: 'タカ', as: 'word' },
    ]);
    // JSON has these without being a text, and letters beyond ASCII may belong to the word.
    expect(wordTests('rue').tests).toEqual([]);
    expect(wordTests('한-caf').tests).toEqual([{ text: 'caf', as: 'beginning' }]);
  });

  it('tell apart what holds a pattern and what does not', () => {
    const holds = (held: string, pattern: string) => missed(held, foldCase(pattern)).length === 0;
    expect(holds('we parse it recursively', 'Recursive')).toBe(true);
    expect(holds('we parse it', 'Recursive')).toBe(false);
    expect(holds('{"answer":"we parse it,\\nrecursively"}', 'recursive')).toBe(true);
    expect(holds('{"answer":"we parse it"}', 'recursive')).toBe(false);
  });
});

/** The tests that no word of the text passes, unless the text is in doubt. */
function missed(held: string, folded: string) {
  const { tests, isForPlainJson } = wordTests(folded);
  const { texts, doubts } = searchableTexts({
    name: '',
    statusMessage: '',
    events: [],
    entries: [['output.value', held]],
  });
  const doubtful = placeBit('output') | (isForPlainJson ? ESCAPES : 0);
  if ((doubts & doubtful) !== 0) return [];
  const words = new Set([...texts.keys()].flatMap((one) => tokenize(one).words.map((token) => token.text)));
  return tests.filter((test) => ![...words].some((word) => isMet(test, word)));
}
