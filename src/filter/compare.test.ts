import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, foldCase, holdsFolded, toNumber } from './compare.ts';

describe('foldCase', () => {
  it('makes one of all forms of each character', () => {
    const apart: string[] = [];
    for (let code = 0; code < 0x3000; code++) {
      const letter = String.fromCodePoint(code);
      const folded = foldCase(letter);
      const forms = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD'), folded];
      if (forms.some((form) => foldCase(form) !== folded)) apart.push(letter);
    }
    expect(apart).toEqual([]);
  });

  it('finds whatever differs in case alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, part) => {
        const isFound = holdsFolded(`${before} ${part}`, foldCase(part.toUpperCase()));
        expect(isFound).toBe(true);
      }),
    );
  });

  it.each([
    ['ΟΔΟΣ', 'οδός'.replace('ό', 'ο')],
    ['ΟΔΟΣ ΑΒ', 'σ α'],
    ['STRASSE', 'straße'],
    ['ﬁn', 'FIN'],
    ['é', 'E\u0301'],
  ])('%s holds %s', (text, part) => {
    expect(holdsFolded(text, foldCase(part))).toBe(true);
  });
});

describe('compareTexts', () => {
  it('goes by code points, as UTF-8 does by bytes', () => {
    const unit = fc.constantFrom('a', 'b', '\uE000', '\uFFFD', '\u{10000}', '\u{1F600}', 'é');
    const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareTexts(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
    );
  });
});

it.each([
  ['1', 1],
  [' +1.5e3 ', 1500],
  ['.5', 0.5],
  ['5.', 5],
  ['', undefined],
  ['1e999', undefined],
  ['Infinity', undefined],
  ['0x10', undefined],
  ['1_000', undefined],
  [true, undefined],
  [[1], undefined],
  [null, undefined],
])('the number of %j is %j', (value, number) => {
  expect(toNumber(value)).toBe(number);
});
