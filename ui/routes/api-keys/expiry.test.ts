import { expect, it } from 'vitest';
import { expiryOf, expiryState } from './expiry.ts';

const NOW = Date.UTC(2026, 9, 24, 12);
const HERE = { written: '2026-10-25T12:00', zone: 'Europe/Berlin', nowMs: NOW };

it('ends a key that many days from now, at a time in the zone of the user, or never', () => {
  expect(expiryOf('30', HERE)).toBe(Date.UTC(2026, 10, 23, 12));
  expect(expiryOf('never', HERE)).toBeNull();
  // The night between sets clocks back.
  expect(expiryOf('own', HERE)).toBe(Date.UTC(2026, 9, 25, 11));
});

it.each(['', '2026-02-31T10:00', '2026-10-24T14:00', '2025-01-01T00:00'])(
  'takes no key that ends at “%s”',
  (written) => {
    expect(expiryOf('own', { ...HERE, written })).toBeUndefined();
  },
);

it.each([
  [null, 'far'],
  ['2026-10-24T12:00:00Z', 'expired'],
  ['2026-10-24T12:00:01Z', 'soon'],
  ['2026-10-31T11:59:59Z', 'soon'],
  ['2026-10-31T12:00:00Z', 'far'],
] as const)('an end at %s is %s', (expiresAt, state) => {
  expect(expiryState(expiresAt, NOW)).toBe(state);
});
