import { expect, it } from 'vitest';
import { describeConfig, toShownConfig } from './shown-config.ts';

const NUMBERS = { optimizationDirection: 'NONE', annotationType: 'CONTINUOUS' };

it.each([
  [{ annotationType: 'CATEGORICAL', values: [{ label: 'good', score: 0 }, { label: 'bad' }] }, 'good (0), bad'],
  [{ ...NUMBERS, lowerBound: 0, upperBound: 0.5 }, '0 to 0.5'],
  [{ ...NUMBERS, lowerBound: 0 }, '0 or more'],
  [{ ...NUMBERS, upperBound: -1 }, '-1 or less'],
  [NUMBERS, 'any number'],
  [{ ...NUMBERS, annotationType: 'FREEFORM' }, 'any text'],
  [{ ...NUMBERS, annotationType: 'FREEFORM', upperBound: 5 }, 'any text, scores 5 or less'],
])('%j is %s', (answered, text) => {
  const config = toShownConfig(answered);
  expect(config && describeConfig(config)).toBe(text);
});

it('leaves out a kind that it does not know', () => {
  expect(toShownConfig({ annotationType: 'PAIRWISE' })).toBeUndefined();
});
