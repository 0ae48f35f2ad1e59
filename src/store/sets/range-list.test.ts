import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RangeList } from './range-list.ts';

const END = 40;

it('knows what is in it, where the next gap is, and what is around that', () => {
  const range = fc
    .tuple(fc.nat(END - 1), fc.integer({ min: 1, max: 9 }))
    .map(([from, length]) => ({ from, end: Math.min(from + length, END) }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), range, (added, asked) => {
      const list = new RangeList();
      const held = new Set<number>();
      for (const one of added) {
        list.add(one);
        for (let place = one.from; place < one.end; place++) held.add(place);
      }
      const open = Array.from({ length: asked.end - asked.from }, (_, place) => asked.from + place).filter(
        (place) => !held.has(place),
      );
      expect(list.holds(asked)).toBe(open.length === 0);
      const gap = list.gapIn(asked);
      expect(gap?.from).toBe(open[0]);
      if (gap === null) return;
      for (let place = gap.from; place < gap.end; place++) expect(held.has(place)).toBe(false);
      expect(gap.end === asked.end || held.has(gap.end)).toBe(true);
      const before = [...held].filter((place) => place < gap.from);
      const after = [...held].filter((place) => place >= gap.end);
      expect(list.around(gap)).toEqual({
        below: before.length === 0 ? 0 : Math.max(...before) + 1,
        above: after.length === 0 ? Infinity : Math.min(...after),
      });
    }),
  );
});
