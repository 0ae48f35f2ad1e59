import { expect, it } from 'vitest';
import { buildForest } from '../../trace/model/forest.ts';
import { family, span } from '../../trace/model/span.fixture.ts';
import type { TraceSpan } from '../../trace/model/trace-span.ts';
import { alignForests } from './align.ts';
import { compareTraces, type ContentDigests, isLarge, listEqualParents } from './differences.ts';

const NOTHING: ContentDigests = { output: null, input: null, prompt: null, parameters: null, tools: null };

function compare(
  left: readonly TraceSpan[],
  right: readonly TraceSpan[],
  digests: Record<string, Partial<ContentDigests>> = {},
) {
  const alignment = alignForests(buildForest(left), buildForest(right));
  const byId = new Map(Object.entries(digests).map(([id, own]) => [id, { ...NOTHING, ...own }]));
  return { alignment, comparison: compareTraces(alignment, byId, byId) };
}

it('a pair says what changed', () => {
  const left = span('l', { modelName: 'small', endMs: 100, tokenCount: 100, costNanoUsd: 5_000_000 });
  const right = span('r', {
    modelName: 'large',
    status: 'ERROR',
    endMs: 300,
    tokenCount: 105,
    costNanoUsd: 9_000_000,
    name: 'l',
  });
  const { comparison } = compare([left], [right], {
    'node-l': { output: 'a', input: 'i' },
    'node-r': { output: 'b', input: 'i', tools: 't' },
  });
  expect(comparison.rows).toEqual([
    {
      parts: ['status', 'output', 'tools', 'model', 'time', 'cost'],
      time: { left: 100, right: 300 },
      tokens: { left: 100, right: 105 },
      cost: { left: 5_000_000, right: 9_000_000 },
    },
  ]);
  expect(comparison.changedCount).toBe(1);
});

it('a pair of which the contents are not known yet says nothing about them', () => {
  const { comparison } = compare([span('a')], [span('a')], {});
  expect(comparison.rows[0]?.parts).toEqual([]);
  expect(comparison.differing).toEqual([]);
});

it('spans that only one side has are one difference with all below them', () => {
  const { comparison } = compare(family('r', 'a < r', 'b < r', 'c < b', 'd < b'), family('r', 'a < r', 'e < r'));
  expect(comparison.differing.map(({ key }) => key)).toEqual(['b-', '-e']);
  expect(comparison).toMatchObject({ changedCount: 0, onlyLeftCount: 3, onlyRightCount: 1 });
  expect([...comparison.differingBelow]).toEqual([2, 0, 1, 0, 0, 1]);
});

it('what holds nothing that differs is folded, and what only one side has', () => {
  const left = family('r', 'a < r', 'b < a', 'c < r', 'd < c', 'e < r', 'f < e');
  const right = left.slice(0, 5).map((each) => (each.spanId === 'd' ? { ...each, status: 'ERROR' as const } : each));
  const { alignment, comparison } = compare(left, right);
  expect([...listEqualParents(alignment, comparison)]).toEqual(['a-a', 'e-']);
});

it('figures differ between any two runs: only a fifth counts, and only of what counts', () => {
  expect(isLarge({ left: 100, right: 124 }, 10)).toBe(false);
  expect(isLarge({ left: 100, right: 125 }, 10)).toBe(true);
  expect(isLarge({ left: 125, right: 100 }, 10)).toBe(true);
  expect(isLarge({ left: 1, right: 9 }, 10)).toBe(false);
  expect(isLarge({ left: null, right: 99 }, 10)).toBe(false);
});
