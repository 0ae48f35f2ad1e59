import { expect, it } from 'vitest';
import type { ShownConfig } from '../../annotation-configs/shown-config.ts';
import { type ConfigText, readConfig, toConfigInput, withValue, writeConfig } from './config-form.ts';

const BASE = { id: 'x', name: 'tone', description: null, isStrict: true, direction: 'MINIMIZE' } as const;
const CONFIGS: readonly ShownConfig[] = [
  {
    ...BASE,
    kind: 'CATEGORICAL',
    values: [
      { label: 'a', score: 0 },
      { label: 'b', score: null },
    ],
  },
  { ...BASE, kind: 'CONTINUOUS', lowerBound: -0.5, upperBound: null },
  { ...BASE, kind: 'FREEFORM', lowerBound: null, upperBound: 1e21, threshold: 3 },
];

it.each(CONFIGS)('a $kind config comes back as it was written into the fields', ({ id: _id, ...content }) => {
  const config = CONFIGS.find(({ kind }) => kind === content.kind);
  expect(readConfig(writeConfig(config))).toEqual({ content, faults: [] });
});

it('tells what is wrong with which field', () => {
  const faultsOf = (text: Partial<ConfigText>) =>
    readConfig({ ...writeConfig(undefined), name: 'n', ...text }).faults.map(({ field, index }) => [field, index]);
  expect(faultsOf({})).toEqual([
    ['values', 0],
    ['values', 1],
  ]);
  expect(faultsOf({ values: [{ id: 0, label: 'a', score: 'x' }] })).toEqual([['values', 0]]);
  expect(faultsOf({ kind: 'CONTINUOUS', name: ' ', lowerBound: '1,5' })).toEqual([
    ['name', undefined],
    ['lowerBound', undefined],
  ]);
  expect(faultsOf({ kind: 'FREEFORM', lowerBound: '2', upperBound: ' 1 ' })).toEqual([['upperBound', undefined]]);
});

it('keeps what was typed for other kinds, and sends none of it', () => {
  const text: ConfigText = { ...writeConfig(CONFIGS[0]), kind: 'CONTINUOUS', upperBound: '5' };
  expect(toConfigInput(readConfig(text).content)).toEqual({
    continuous: {
      name: 'tone',
      description: null,
      isStrict: true,
      optimizationDirection: 'MINIMIZE',
      lowerBound: null,
      upperBound: 5,
    },
  });
  expect(text.values).toHaveLength(2);
});

it('gives each label of the form a number that no other has', () => {
  const [, second] = writeConfig(undefined).values;
  const rest = second === undefined ? [] : [second];
  expect(withValue(rest).map(({ id }) => id)).toEqual([1, 2]);
  expect(withValue([]).map(({ id }) => id)).toEqual([0]);
});
