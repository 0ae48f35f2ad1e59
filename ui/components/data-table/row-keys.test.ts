import { describe, expect, it } from 'vitest';
import { rowAfterKey } from './row-keys.ts';

describe('a key in a table', () => {
  it.each([
    ['ArrowDown', 4, 5],
    ['ArrowUp', 4, 3],
    ['PageDown', 4, 9],
    ['PageUp', 7, 2],
    ['Home', 4, 0],
    ['End', 4, 19],
  ])('%s leads from row %i to row %i', (key, from, to) => {
    expect(rowAfterKey(key, from, 20, 5)).toBe(to);
  });

  it('leads no further than the ends', () => {
    expect(rowAfterKey('ArrowUp', 0, 20, 5)).toBe(0);
    expect(rowAfterKey('PageDown', 18, 20, 5)).toBe(19);
    expect(rowAfterKey('ArrowDown', -1, 20, 5)).toBe(0);
  });

  it('leads nowhere where there are no rows, or where it means something else', () => {
    expect(rowAfterKey('ArrowDown', -1, 0, 5)).toBeUndefined();
    expect(rowAfterKey('a', 3, 20, 5)).toBeUndefined();
  });
});
