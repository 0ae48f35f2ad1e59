import { expect, it } from 'vitest';
import { threadLimits } from './thread-limits.ts';

it('has one reader and small young generations below 1 GiB', () => {
  const { readerCount, ...limits } = threadLimits(2 ** 30 - 1);
  expect(readerCount).toBe(1);
  const small = { maxYoungGenerationSizeMb: 12 };
  expect(limits).toEqual({ reading: small, background: small, ingestion: small });
});

it('has two readers, and larger young generations but in the background, from 1 GiB on', () => {
  const { readerCount, reading, ingestion, background } = threadLimits(2 ** 30);
  expect(readerCount).toBe(2);
  const sizes = [reading, ingestion, background].map((limits) => limits.maxYoungGenerationSizeMb);
  expect(sizes).toEqual([24, 24, 12]);
});
