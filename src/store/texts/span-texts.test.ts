import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeIntroduced, encodeHeld, encodeIntroduced, firstTextOf, HASH_BYTES, visitHeld } from './span-texts.ts';
import { PART_SPANS, SPAN_TEXTS, textId } from '../words/text-ids.ts';

const PART = 7;
const place = fc.record({
  span: fc.integer({ min: PART * PART_SPANS, max: (PART + 1) * PART_SPANS - 1 }),
  ordinal: fc.integer({ min: 0, max: SPAN_TEXTS - 1 }),
});

it('packs the texts that a span holds, and gives them back', () => {
  fc.assert(
    fc.property(place, fc.array(fc.tuple(place, fc.integer({ min: 1, max: 31 }))), ({ span }, texts) => {
      const held = new Map(texts.map(([of, places]) => [textId(of.span, of.ordinal), places]));
      const found: [number, number][] = [];
      visitHeld(encodeHeld(span, held), (offset, places) => found.push([firstTextOf(span) + offset, places]));
      expect(found).toEqual([...held].sort(([a], [b]) => a - b));
    }),
  );
});

it('packs the texts that a span held first, and gives them back', () => {
  const hash = fc.uint8Array({ minLength: HASH_BYTES, maxLength: HASH_BYTES });
  fc.assert(
    fc.property(place, fc.array(hash), ({ span }, hashes) => {
      const introduced = new Map(
        hashes.map((bytes, ordinal) => [Buffer.from(bytes).toString('latin1'), textId(span, ordinal)]),
      );
      expect(decodeIntroduced(span, encodeIntroduced(introduced))).toEqual(introduced);
    }),
  );
});
