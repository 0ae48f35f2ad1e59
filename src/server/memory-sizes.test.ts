import { expect, it } from 'vitest';
import { pageCacheBytes } from './memory-sizes.ts';

const MIB = 2 ** 20;

it('gives page caches what is left of the memory, within bounds', () => {
  expect(pageCacheBytes(256 * MIB)).toBe(2 * MIB);
  expect(pageCacheBytes(512 * MIB)).toBe(4 * MIB);
  expect([1024, 8192].map((mib) => pageCacheBytes(mib * MIB))).toEqual([16 * MIB, 16 * MIB]);
});
