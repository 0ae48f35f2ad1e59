import { expect, it } from 'vitest';
import { ReusedArrays } from './reused-arrays.ts';

it('gives the memory of what was taken back again, and no other', () => {
  const arrays = new ReusedArrays();
  const taken = [arrays.takeNumbers(100), arrays.takeNumbers(100)] as const;
  const codes = arrays.takeCodes(100);
  expect(taken[0].buffer).not.toBe(taken[1].buffer);
  arrays.takeBack();
  expect(arrays.takeNumbers(100)).toBe(taken[0]);
  const shorter = arrays.takeNumbers(40);
  expect([shorter.length, shorter.buffer]).toEqual([40, taken[1].buffer]);
  const other = arrays.takeNumbers(100);
  expect(taken.map(({ buffer }) => buffer)).not.toContain(other.buffer);
  expect(arrays.takeCodes(100)).toBe(codes);
  arrays.takeBack();
  expect(arrays.takeNumbers(101).length).toBe(101);
});
