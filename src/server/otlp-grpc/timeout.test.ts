import { expect, it } from 'vitest';
import { parseGrpcTimeout } from './timeout.ts';

it.each([
  ['1H', 3_600_000],
  ['2M', 120_000],
  ['10S', 10_000],
  ['250m', 250],
  ['1500u', 1.5],
  ['99999999n', 99.999999],
  ['0S', 0],
  ['99999999H', 2 ** 31 - 1],
  [undefined, undefined],
])('reads %s as %s ms', (text, expected) => {
  const timeoutMs = parseGrpcTimeout(text);
  if (expected === undefined) expect(timeoutMs).toBeUndefined();
  else expect(timeoutMs).toBeCloseTo(expected, 9);
});

it.each(['', '10', 'S', '-1S', '1.5S', '123456789S', '1s', '10S, 5S'])('refuses "%s"', (text) => {
  expect(() => parseGrpcTimeout(text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
