import { expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { toChange } from './inputs.ts';

const nested = (depth: number) => parseJson(`${'{"a":['.repeat(depth / 2)}1.0${']}'.repeat(depth / 2)}`);

it('metadata of any depth beyond the limit is refused', () => {
  expect(toChange('span', { metadata: nested(32) }).metadata).toMatch(/^(\{"a":\[){16}1\.0/);
  for (const depth of [34, 5000]) {
    expect(() => toChange('span', { metadata: nested(depth) })).toThrow(
      'The metadata is nested deeper than 32 levels.',
    );
  }
});
