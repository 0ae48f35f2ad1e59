import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OffsetSet } from './offset-set.ts';
import { PART_SPANS, SPAN_TEXTS } from './text-ids.ts';

it.each([
  [0, 10],
  [300, 3000],
])('holds what it was made of, and nothing else, with %i to %i offsets', (minLength, maxLength) => {
  const last = PART_SPANS * SPAN_TEXTS - 1;
  const firstOfSpan = fc.nat(PART_SPANS - 1).map((span) => span * SPAN_TEXTS);
  const offset = fc.oneof(fc.nat(last), fc.nat(2 * SPAN_TEXTS), firstOfSpan, fc.constant(last));
  fc.assert(
    fc.property(fc.uniqueArray(offset, { minLength, maxLength }), fc.array(offset), (held, others) => {
      const set = new OffsetSet(Int32Array.from(held).sort());
      const known = new Set(held);
      for (const one of [...held, ...others, ...held.map((each) => Math.min(each + 1, last))]) {
        expect(set.has(one)).toBe(known.has(one));
      }
    }),
    { numRuns: 30 },
  );
});
