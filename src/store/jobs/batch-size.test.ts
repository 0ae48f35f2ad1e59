import { expect, it } from 'vitest';
import { BatchSize } from './batch-size.ts';

/** Every batch fits in it, or none. */
const LONG_MS = 1e9;
const SHORT_MS = 1e-9;

/** The sizes of so many batches, one after the other. */
async function measureBatches(size: BatchSize, count: number): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (let batch = 0; batch < count; batch++) {
    sizes.push(size.size);
    await size.measure(size.size, async () => undefined);
  }
  return sizes;
}

it('doubles while batches are quick, up to the most', async () => {
  const size = new BatchSize({ first: 8, least: 2, most: 30, fitMs: LONG_MS });
  expect(await measureBatches(size, 4)).toEqual([8, 16, 30, 30]);
});

it('shrinks after a batch that took too long, down to the least', async () => {
  const size = new BatchSize({ first: 8, least: 2, most: 30, fitMs: SHORT_MS });
  expect(await measureBatches(size, 3)).toEqual([8, 2, 2]);
});

it('grows back slowly after a batch that had no room', async () => {
  const size = new BatchSize({ first: 400, least: 2, most: 1000, fitMs: LONG_MS });
  expect(size.halve()).toBe(true);
  const sizes = await measureBatches(size, 10);
  expect(sizes[0]).toBe(200);
  expect(sizes.findIndex((count) => count >= 400)).toBe(8);
});

it('says that one item cannot be halved', () => {
  const size = new BatchSize({ first: 2, least: 1, most: 4, fitMs: LONG_MS });
  expect([size.halve(), size.halve()]).toEqual([true, false]);
});
