import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findInCheckout, findRuledOut } from './words.ts';

describe('a word that is ruled out', () => {
  it.each([
    ['a.ts', "const text = 'It is read anew.';"],
    ['a.ts', 'const text = `Whoever ${one} reads`;'],
    ['a.tsx', 'const view = <p>\n  What of models\n</p>;'],
    ['a.ts', "const text = 'the work goes on with the next start';"],
    ['a.md', 'One paragraph.\n\nThe value is no number.\n'],
  ])('is found in a text of %s: %s', (path, text) => {
    expect(findRuledOut(path, text)).toHaveLength(1);
  });

  it('is named with its line and what to write instead', () => {
    const line = "\n\nconst text = 'read anew';";
    expect(findRuledOut('a.ts', line)).toEqual([{ place: 'a.ts:3', word: 'anew', advice: 'again, from scratch' }]);
  });

  it.each([
    ['a.ts', '// Read anew by whoever asks.\nconst anew = 1;'],
    ['a.ts', "const text = 'There is no span of a new trace';"],
    ['a.md', 'Call `anew`.\n\n```\nwhoever\n```\n'],
    ['a.md', 'See [why](0023-reading-anew.md).\n'],
  ])('is none in comments, code or other words of %s: %s', (path, text) => {
    expect(findRuledOut(path, text)).toEqual([]);
  });
});

it('stands in no text that is written in plain English already', () => {
  expect(findInCheckout(resolve(import.meta.dirname, '../..'))).toEqual([]);
});
