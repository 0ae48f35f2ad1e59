import { expect, it } from 'vitest';
import { describeRetryAfter } from './retry-after.ts';

const NOW_MS = Date.UTC(2026, 9, 2, 12);

it.each([
  ['1', 'in 1 second'],
  ['0', 'in 1 second'],
  ['42', 'in 42 seconds'],
  ['60', 'in 1 minute'],
  ['299', 'in 5 minutes'],
  ['300', 'in 5 minutes'],
  ['3600', 'in 1 hour'],
  ['7201', 'in 3 hours'],
  ['Fri, 02 Oct 2026 12:02:00 GMT', 'in 2 minutes'],
  ['soon', 'later'],
  [null, 'later'],
])('%s is %s', (header, text) => {
  expect(describeRetryAfter(header, NOW_MS)).toBe(text);
});
