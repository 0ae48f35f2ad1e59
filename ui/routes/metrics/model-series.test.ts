import { expect, it } from 'vitest';
import { modelCondition, type ModelSeries, rankModels, valuesOfModel } from './model-series.ts';

const groups: readonly ModelSeries[] = [
  { name: 'often', values: [1, 1] },
  { name: 'dear', values: [0, 9] },
  { name: 'some', values: [2, 1] },
  { name: 'free', values: [0, 0] },
  { name: null, values: [0, 1] },
];

it('gives those that come to most a series each, and one to the rest', () => {
  expect(rankModels(groups, 2)).toEqual([
    { name: 'dear', values: [0, 9] },
    { name: 'some', values: [2, 1] },
    { name: null, values: [1, 2] },
  ]);
  expect(rankModels(groups.slice(0, 2), 2).map(({ name }) => name)).toEqual(['dear', 'often']);
  expect(rankModels([], 2)).toEqual([]);
});

it('finds the same series among other groups', () => {
  const ranked = rankModels(groups, 2);
  const before: readonly ModelSeries[] = [
    { name: 'dear', values: [5] },
    { name: 'gone', values: [3] },
    { name: null, values: [1] },
  ];
  expect(ranked.map(({ name }) => valuesOfModel(before, ranked, name))).toEqual([[5], [], [4]]);
});

it('finds the spans of a model, and those of all others', () => {
  const ranked = [
    { name: "o'1", values: [1] },
    { name: null, values: [1] },
  ];
  expect([0, 1].map((place) => modelCondition(ranked, place))).toEqual([
    `llm.model_name == "o'1"`,
    `llm.model_name not in ["o'1"]`,
  ]);
});
