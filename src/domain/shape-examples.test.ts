import { expect, it } from 'vitest';
import { shapeExamples } from './shape-examples.ts';

const BASE = { name: 'n', description: null, isStrict: false, direction: 'NONE' } as const;

it('shows each label of a choice as a literal of the language', () => {
  const values = [
    { label: 'it’s "fine"', score: 1 },
    { label: 'bad', score: null },
  ];
  const config = { ...BASE, kind: 'CATEGORICAL', values } as const;
  expect(shapeExamples(config, 'PYTHON', 'CURATED')).toEqual([
    '{"label": "it’s \\"fine\\"", "score": 1}',
    '{"label": "bad"}',
  ]);
  expect(shapeExamples(config, 'TYPESCRIPT', 'FULL')).toEqual([
    '{ label: "it’s \\"fine\\"", score: 1 }',
    '{ label: "bad" }',
    '{ label: "it’s \\"fine\\"", explanation: "Why the score is what it is." }',
  ]);
});

it('shows the bounds of a number, or two numbers within those that there are', () => {
  const examples = (lowerBound: number | null, upperBound: number | null) =>
    shapeExamples({ ...BASE, kind: 'CONTINUOUS', lowerBound, upperBound }, 'PYTHON', 'CURATED');
  expect(examples(2, 5)).toEqual(['{"score": 2}', '{"score": 5}']);
  expect(examples(null, null)).toEqual(['{"score": 0}', '{"score": 1}']);
  expect(examples(null, -3)).toEqual(['{"score": -3}', '{"score": -3}']);
  expect(examples(7, null)).toEqual(['{"score": 7}', '{"score": 7}']);
});
