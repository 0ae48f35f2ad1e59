import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteWriter } from './bytes.ts';
import { readPostings, writePostings } from './postings.ts';
import { packRuns, unpackRuns } from './text-runs.ts';

/** From sparse to dense, of few and of many. */
const numbers = fc
  .tuple(
    fc.array(fc.oneof(fc.nat(3), fc.nat(300), fc.nat(100_000)), { maxLength: 200 }),
    fc.constantFrom(0, 1, 2 ** 20),
  )
  .map(([distances, first]) => {
    let number = first;
    return distances.map((distance) => (number += distance + 1));
  });

it('lists of places are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 3 }), (lists) => {
      const writer = new ByteWriter();
      for (const list of lists) {
        writePostings(writer, list);
        const packed = writer.take();
        expect([...readPostings(packed)]).toEqual(list);
      }
    }),
  );
});

it('a list takes no more than a bitmap where it is dense, and some bits each where it is not', () => {
  const bytesOf = (list: readonly number[]) => {
    const writer = new ByteWriter();
    writePostings(writer, list);
    return writer.length;
  };
  const all = Array.from({ length: 8000 }, (_, number) => number);
  expect(bytesOf(all)).toBeLessThan(1010);
  expect(bytesOf(all.filter((number) => number % 2 === 0))).toBeLessThan(1010);
  // Of one in 64, six bits and a share of the next: eight at most.
  expect(bytesOf(all.filter((number) => number % 64 === 5))).toBeLessThan(130);
});

it('ids of texts are read as they were packed', () => {
  fc.assert(
    fc.property(numbers, (ids) => {
      expect([...unpackRuns(packRuns(ids), ids.length)]).toEqual(ids);
    }),
  );
  expect(packRuns(Array.from({ length: 4096 }, (_, id) => id)).length).toBeLessThan(5);
});
