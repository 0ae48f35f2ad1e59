import { zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readAllCompressed, readCompressed } from './read-compressed.ts';

it.each([0, 1, 40, 63, 64, 5_000, 40_000, 200_000])('reads a frame of %d bytes', async (size) => {
  const bytes = Buffer.alloc(size, 'cairn');
  const read = (frame: Uint8Array) => readCompressed({ frame, size }, (found) => found.toString());
  const frame = zstdCompressSync(bytes);
  expect(read(frame)).toBe(bytes.toString());
  const twice = [frame, frame].map((one) => ({ frame: one, size }));
  expect(await readAllCompressed(twice, (all) => all.map((found) => found.toString()))).toEqual([
    bytes.toString(),
    bytes.toString(),
  ]);
  expect(() => read(zstdCompressSync(Buffer.alloc(size + 2)))).toThrow('larger');
  expect(() => read(frame.subarray(0, frame.length - 2))).toThrow();
});

it('takes the memory of the bytes while they are read, and no longer', async () => {
  const frame = zstdCompressSync(new Uint8Array(1_000_000));
  const held = () => process.memoryUsage().arrayBuffers;
  const before = held();
  const one = { frame, size: 1_000_000 };
  expect(readCompressed(one, () => held() - before)).toBeLessThan(1_100_000);
  expect(held() - before).toBeLessThan(100_000);
  expect(await readAllCompressed([one, one], () => held() - before)).toBeLessThan(2_200_000);
  expect(held() - before).toBeLessThan(100_000);
});
