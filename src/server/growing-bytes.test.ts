import { expect, it } from 'vitest';
import { GrowingBytes } from './growing-bytes.ts';

it('gathers chunks, over several enlargements, into a buffer of exactly their size', () => {
  const gathered = new GrowingBytes(2);
  gathered.append(Uint8Array.of(1, 2));
  gathered.extend(8);
  gathered.append(Buffer.from([3]));
  gathered.append(new Uint8Array(0));
  expect([gathered.length, gathered.capacity]).toEqual([3, 8]);
  const bytes = gathered.finish();
  expect([...bytes]).toEqual([1, 2, 3]);
  expect(bytes.buffer.byteLength).toBe(3);
});

it('refuses a chunk that there is no room for', () => {
  const gathered = new GrowingBytes(1);
  expect(() => gathered.append(Uint8Array.of(1, 2))).toThrow(RangeError);
});

it('yields no bytes when it was given none', () => {
  expect(new GrowingBytes(16).finish()).toHaveLength(0);
});
