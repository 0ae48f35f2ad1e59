import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OffsetSet } from './offset-set.ts';
import { PART_SPANS, SPAN_TEXTS } from './text-ids.ts';

it.each([10, 3000])('holds what it was made of, and nothing else, with up to %i offsets', (maxLength) => {
  const last = PART_SPANS * SPAN_TEXTS - 1;
  const offset = fc.oneof(fc.nat(last), fc.nat(2 * SPAN_TEXTS), fc.constantFrom(0, last));
  fc.assert(
    fc.property(fc.uniqueArray(offset, { maxLength }), fc.array(offset), (held, others) => {
      const set = new OffsetSet(Int32Array.from(held).sort());
      const known = new Set(held);
      for (const one of [...held, ...others, ...held.map((each) => Math.min(each + 1, last))]) {
        expect(set.has(one)).toBe(known.has(one));
      }
    }),
    { numRuns: 30 },
  );
});
