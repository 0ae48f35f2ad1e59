import { expect, it } from 'vitest';
import { durationScale } from './duration-scale.ts';

it('reaches as far as most rows do', () => {
  expect(durationScale([3, 900, 40])).toBe(900);
  const many = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(durationScale([...many, 60_000])).toBe(96);
  expect(durationScale(many.toReversed())).toBe(96);
});

it('is never nothing', () => {
  expect(durationScale([])).toBe(1);
  expect(durationScale([null, undefined, 0])).toBe(1);
});
