import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowSet } from './row-set.ts';

it('holds what was added, wherever it lies', () => {
  const rowId = fc.oneof(fc.nat(300), fc.nat(100_000), fc.maxSafeNat());
  const ranges = fc.array(fc.tuple(fc.nat(400), fc.nat(300)), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(rowId, { maxLength: 400 }), fc.array(rowId), ranges, (added, asked, counted) => {
      const [set, plain] = [new RowSet(), new Set(added)];
      for (const one of added) {
        set.has(one + 1);
        set.add(one);
        expect(set.has(one)).toBe(true);
      }
      expect(set.size).toBe(plain.size);
      expect(new Set(set)).toEqual(plain);
      for (const one of asked) expect([one, set.has(one)]).toEqual([one, plain.has(one)]);
      for (const [from, length] of counted) {
        const inside = [...plain].filter((one) => one >= from && one < from + length);
        expect([from, length, set.countIn(from, from + length)]).toEqual([from, length, inside.length]);
      }
    }),
  );
});
