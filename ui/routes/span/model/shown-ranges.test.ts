import { describe, expect, it } from 'vitest';
import { extendInto, firstRanges, reveal } from './shown-ranges.ts';

const LOOK = { head: 50, tail: 150 };

/** As `from-to` with the ends included. */
function written(ranges: ReturnType<typeof firstRanges>): string {
  return ranges.map(({ start, end }) => `${start}-${end - 1}`).join(' ');
}

describe('a long list', () => {
  it('begins with its head and its tail', () => {
    expect(written(firstRanges(3000, LOOK))).toBe('0-49 2850-2999');
    expect(written(firstRanges(210, LOOK))).toBe('0-49 60-209');
  });

  it('is whole where little would be left out', () => {
    for (const count of [1, 50, 200, 209]) expect(written(firstRanges(count, LOOK))).toBe(`0-${count - 1}`);
    expect(written(firstRanges(0, LOOK))).toBe('0--1');
  });

  it('is opened step by step from either side of a gap, until that is closed', () => {
    const begun = firstRanges(600, LOOK);
    expect(written(extendInto(begun, 0, 'start', 200))).toBe('0-249 450-599');
    expect(written(extendInto(begun, 0, 'end', 200))).toBe('0-49 250-599');
    expect(written(extendInto(extendInto(begun, 0, 'start', 200), 0, 'end', 200))).toBe('0-599');
    expect(extendInto(begun, 1, 'start', 200)).toBe(begun);
  });

  it('is opened around what was found', () => {
    const begun = firstRanges(3000, LOOK);
    expect(written(reveal(begun, 1000, 5, 3000))).toBe('0-49 995-1005 2850-2999');
    expect(written(reveal(begun, 52, 5, 3000))).toBe('0-57 2850-2999');
    expect(reveal(begun, 2999, 5, 3000)).toBe(begun);
    const around = reveal(begun, 1000, 5, 3000);
    expect(written(extendInto(around, 1, 'start', 200))).toBe('0-49 995-1205 2850-2999');
    expect(written(extendInto(around, 0, 'end', 200))).toBe('0-49 795-1005 2850-2999');
  });
});
