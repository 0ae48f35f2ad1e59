import { expect, it } from 'vitest';
import { markRanges } from './mark-ranges.ts';

it('cuts a text where its hits are', () => {
  const parts = markRanges('where is my order?', [
    { start: 0, end: 5 },
    { start: 12, end: 17 },
  ]);
  expect(parts).toEqual([
    { text: 'where', isHit: true },
    { text: ' is my ', isHit: false },
    { text: 'order', isHit: true },
    { text: '?', isHit: false },
  ]);
});

it('keeps all of the text where ranges make no sense', () => {
  const ranges = [
    { start: 2, end: 4 },
    { start: 3, end: 5 },
    { start: 4, end: 4 },
    { start: 5, end: 99 },
  ];
  const parts = markRanges('abcdef', ranges);
  expect(parts.map(({ text }) => text).join('')).toBe('abcdef');
  expect(parts.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['cd']);
});
