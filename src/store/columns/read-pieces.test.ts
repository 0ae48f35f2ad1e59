import { expect, it } from 'vitest';
import type { NarrowRow } from './narrow-rows.ts';
import { readPieces } from './read-pieces.ts';

const MIB = 1024 * 1024;

async function readLengths(lengths: readonly number[]): Promise<readonly number[]> {
  const read = async (from: number, below: number): Promise<readonly NarrowRow[]> =>
    lengths.slice(from, below).map((length, place) => ({ id: from + place, attributes: 'x'.repeat(length) }));
  const pieces: number[] = [];
  for await (const rows of readPieces(lengths.length, read))
    pieces.push(rows.reduce((sum, { attributes = '' }) => sum + attributes.length, 0));
  return pieces;
}

it('long rows behind short ones are not read all at once', async () => {
  const lengths = Array.from({ length: 4096 }, (_, place) => (place < 64 ? 2 : 32_000));
  expect(Math.max(...(await readLengths(lengths)))).toBeLessThan(10 * MIB);
});

it('short rows are read in a few pieces', async () => {
  expect(await readLengths(Array.from({ length: 4096 }, () => 100))).toHaveLength(4);
});
