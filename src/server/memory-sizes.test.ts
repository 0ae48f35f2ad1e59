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

it('lets all connections over gRPC send half of what is left unasked, and each at least what HTTP/2 does', () => {
  const window = (mib: number) => memorySizes(mib * MIB, MIB).grpcDoors.windowBytes / 1024;
  expect([512, 1024, 2048, 8192].map(window).map(Math.floor)).toEqual([81, 294, 819, 2048]);
  expect(window(256)).toBe(64);
});

it('lets each connection over gRPC have as many calls as there is memory for', () => {
  const calls = (mib: number) => memorySizes(mib * MIB, MIB).grpcDoors.calls;
  expect([256, 512, 1024, 4096].map(calls)).toEqual([16, 16, 36, 100]);
});

it('takes one of the largest bodies of JSON beside small ones, and no more together than exports', () => {
  const bodies = (mib: number) => memorySizes(mib * MIB, MIB).textBodies / MIB;
  expect([256, 512, 1024, 8192].map(bodies)).toEqual([16, 16, 36, 64]);
});

it('lets as many connections in as there is memory for', () => {
  const connections = (mib: number) => memorySizes(mib * MIB, MIB).doors.connections;
  expect([256, 512, 1024, 4096].map(connections)).toEqual([252, 630, 2268, 8192]);
});
