import { expect, it } from 'vitest';
import { memorySizes, pageCacheBytes } from './memory-sizes.ts';

const MIB = 2 ** 20;

it('gives page caches what is left of the memory, within bounds', () => {
  expect(pageCacheBytes(256 * MIB)).toBe(2 * MIB);
  expect(pageCacheBytes(512 * MIB)).toBe(4 * MIB);
  expect([1024, 8192].map((mib) => Math.floor(pageCacheBytes(mib * MIB) / MIB))).toEqual([14, 16]);
});

it('says from when on memory is short, but not before the program has what it takes itself', () => {
  const shortFrom = (mib: number) => memorySizes(mib * MIB, MIB).shortFrom / MIB;
  expect([256, 512, 1024, 4096].map(shortFrom)).toEqual([352, 384, 768, 3072]);
});
