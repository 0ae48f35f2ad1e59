import { describe, expect, it } from 'vitest';
import {
  type AnnotationConfigContent,
  type CategoricalConfigContent,
  checkAgainstConfig,
  checkConfig,
  type ContinuousConfigContent,
  faultsOfConfig,
  type FreeformConfigContent,
  MAX_VALUES,
} from './annotation-config.ts';

const BASE = { name: 'correctness', description: null, isStrict: true } as const;
const CHOICE: CategoricalConfigContent = {
  ...BASE,
  kind: 'CATEGORICAL',
  direction: 'MAXIMIZE',
  values: [
    { label: 'correct', score: 1 },
    { label: 'wrong', score: 0 },
    { label: 'unclear', score: null },
  ],
};
const RANGE: ContinuousConfigContent = {
  ...BASE,
  kind: 'CONTINUOUS',
  direction: 'MINIMIZE',
  lowerBound: 0,
  upperBound: 10,
};
const TEXT: FreeformConfigContent = {
  ...BASE,
  kind: 'FREEFORM',
  direction: null,
  threshold: null,
  lowerBound: null,
  upperBound: 5,
};

const withLabels = (...labels: readonly string[]): AnnotationConfigContent => ({
  ...CHOICE,
  values: labels.map((label) => ({ label, score: null })),
});

describe('a config', () => {
  it('keeps what it says, without white space around its texts', () => {
    const values = [{ label: ' yes ', score: 1 }];
    expect(checkConfig({ ...CHOICE, name: ' tone\n', description: ' \t', values })).toEqual({
      ...CHOICE,
      name: 'tone',
      values: [{ label: 'yes', score: 1 }],
    });
    expect(checkConfig({ ...TEXT, description: ' two\nlines ' })).toEqual({ ...TEXT, description: 'two\nlines' });
  });

  it.each<[string, AnnotationConfigContent, object]>([
    ['no name', { ...RANGE, name: '' }, { field: 'name', message: /needs a name/ }],
    ['an invisible name', { ...RANGE, name: '\u200b' }, { field: 'name', message: /needs a name/ }],
    ['a long name', { ...RANGE, name: 'x'.repeat(201) }, { field: 'name', message: /at most 200/ }],
    ['a name of two lines', { ...RANGE, name: 'a\nb' }, { field: 'name', message: /control characters/ }],
    ['the name of notes', { ...RANGE, name: 'note' }, { field: 'name', message: /reserved for notes/ }],
    ['a long description', { ...RANGE, description: 'x'.repeat(10_001) }, { field: 'description' }],
    ['a description with NUL', { ...RANGE, description: 'a\u0000' }, { field: 'description' }],
    ['no labels', withLabels(), { field: 'values', message: /at least one label/ }],
    ['too many labels', withLabels(...Array.from({ length: MAX_VALUES + 1 }, String)), { field: 'values' }],
    ['an empty label', withLabels('a', ''), { field: 'values', index: 1, message: /cannot be empty/ }],
    ['a label twice', withLabels('a', 'b', 'a'), { field: 'values', index: 2, message: /occurs twice/ }],
    ['a long label', withLabels('x'.repeat(201)), { field: 'values', index: 0 }],
    ['half a character', withLabels('\ud800'), { field: 'values', index: 0 }],
    ['a score that is none', { ...CHOICE, values: [{ label: 'a', score: Number.NaN }] }, { field: 'values', index: 0 }],
    ['equal bounds', { ...RANGE, upperBound: 0 }, { field: 'upperBound', message: /greater than the lower/ }],
    [
      'crossed bounds of a text',
      { ...TEXT, lowerBound: 6 },
      { field: 'upperBound', message: /greater than the lower/ },
    ],
    ['a bound that is none', { ...RANGE, lowerBound: Number.POSITIVE_INFINITY }, { field: 'lowerBound' }],
    ['a threshold that is none', { ...TEXT, threshold: Number.NaN }, { field: 'threshold' }],
  ])('is refused with %s', (_what, content, fault) => {
    expect(faultsOfConfig(content)).toEqual([
      {
        message: expect.any(String),
        ...fault,
        ...('message' in fault && { message: expect.stringMatching(fault.message as RegExp) }),
      },
    ]);
    expect(() => checkConfig(content)).toThrow();
  });

  it('tells every fault, in the order of the fields', () => {
    const faults = faultsOfConfig({
      ...CHOICE,
      name: '',
      values: [
        { label: '', score: Number.NaN },
        { label: 'a', score: 0 },
        { label: 'a', score: 0 },
      ],
    });
    expect(faults.map(({ field, index }) => [field, index])).toEqual([
      ['name', undefined],
      ['values', 0],
      ['values', 2],
    ]);
  });
});

describe('a strict config', () => {
  it.each<[AnnotationConfigContent, string | null, number | null]>([
    [CHOICE, 'correct', 1],
    [CHOICE, 'correct', null],
    [CHOICE, 'unclear', null],
    [CHOICE, null, 0],
    [CHOICE, null, null],
    [RANGE, null, 0],
    [RANGE, 'any', 10],
    [RANGE, null, null],
    [TEXT, 'anything', -1e9],
    [TEXT, null, 5],
  ])('takes what it says: %o with %j and %j', (config, label, score) => {
    expect(checkAgainstConfig(config, { label, score })).toBeNull();
  });

  it.each<[AnnotationConfigContent, string | null, number | null, RegExp]>([
    [
      CHOICE,
      'Correct',
      1,
      /^The annotation config "correctness" is strict: the label "Correct" is not one of its labels "correct", "wrong", "unclear"\.$/,
    ],
    [CHOICE, '', null, /label "" is not one/],
    [CHOICE, 'correct', 0, /score of the label "correct" is 1\.$/],
    [CHOICE, 'unclear', 0, /label "unclear" has no score\.$/],
    [CHOICE, null, 0.5, /score 0\.5 belongs to none of its labels/],
    [RANGE, null, -0.1, /at least 0\.$/],
    [RANGE, 'any', 10.1, /at most 10\.$/],
    [TEXT, 'anything', 6, /at most 5\.$/],
  ])('refuses anything else: %o with %j and %j', (config, label, score, message) => {
    expect(checkAgainstConfig(config, { label, score })).toMatch(message);
    expect(checkAgainstConfig({ ...config, isStrict: false }, { label, score })).toBeNull();
  });
});
