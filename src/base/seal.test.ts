import { expect, it } from 'vitest';
import { openSealed, seal } from './seal.ts';

it('opens what was sealed, and nothing that any bit of differs from it, nor what was sealed as something else', () => {
  const bytes = Buffer.from('what a column holds');
  const sealed = seal('7 start_us', bytes);
  expect(Buffer.from(openSealed('7 start_us', sealed) ?? [])).toEqual(bytes);
  expect(openSealed('8 start_us', sealed)).toBeUndefined();
  expect(openSealed('7 start_us', sealed.subarray(0, 3))).toBeUndefined();
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Uint8Array.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(openSealed('7 start_us', flipped)).toBeUndefined();
  }
});
