import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countJsonValues } from './count-json-values.ts';

const count = (json: string) => countJsonValues(Buffer.from(json));

it.each([
  ['7', 1],
  ['[]', 2],
  ['[1,2,3]', 4],
  ['{"a":{"b":[1.0,2]}}', 5],
  [String.raw`["a,[{","\",[\\","]"]`, 4],
  ['"an open text, with [commas', 1],
])('%s has %d values at most', (json, expected) => {
  expect(count(json)).toBe(expected);
});

it('is never less than there are', () => {
  const values = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, item) => sum + values(item), 1)
      : 1;
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(count(json)).toBeGreaterThanOrEqual(values(JSON.parse(json)));
    }),
  );
});
