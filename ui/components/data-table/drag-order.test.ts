import { describe, expect, it } from 'vitest';
import { dropIndex } from './drag-order.ts';

const EXTENTS = [
  { id: 'a', start: 0, size: 100 },
  { id: 'b', start: 100, size: 50 },
  { id: 'c', start: 150, size: 200 },
];

describe('a dragged thing', () => {
  it('lands before the first whose middle it has not passed', () => {
    expect(dropIndex(EXTENTS, 'c', 40)).toBe(0);
    expect(dropIndex(EXTENTS, 'c', 60)).toBe(1);
    expect(dropIndex(EXTENTS, 'a', 130)).toBe(1);
    expect(dropIndex(EXTENTS, 'a', 251)).toBe(2);
  });

  it('lands where it was when it hardly moved', () => {
    expect(dropIndex(EXTENTS, 'b', 130)).toBe(1);
  });
});
