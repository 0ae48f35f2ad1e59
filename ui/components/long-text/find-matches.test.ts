import { expect, it } from 'vitest';
import { findMatches, MAX_MATCHES, splitMatches } from './find-matches.ts';

it('finds a query in any letter case, and signs as what they are', () => {
  expect(findMatches('A.b a.B axb', 'a.b')).toEqual([0, 4]);
  expect(findMatches('x[0]-y', '[0]-')).toEqual([1]);
  expect(findMatches('text', '')).toEqual([]);
});

it('stops counting where nobody would go on', () => {
  expect(findMatches('a'.repeat(MAX_MATCHES + 5), 'a')).toHaveLength(MAX_MATCHES);
});

it('tells the pieces that match from the others', () => {
  expect(splitMatches('one Two one', 'ONE')).toEqual([
    { text: 'one', isMatch: true },
    { text: ' Two ', isMatch: false },
    { text: 'one', isMatch: true },
  ]);
  expect(splitMatches('x', '')).toEqual([{ text: 'x', isMatch: false }]);
});
