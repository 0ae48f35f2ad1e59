import { expect, it } from 'vitest';
import { buildForest } from '../../trace/model/forest.ts';
import { span } from '../../trace/model/span.fixture.ts';
import { alignForests } from './align.ts';
import { describeDelta, describeRow, describeShare } from './describe-changes.ts';
import { compareTraces } from './differences.ts';

const NONE = new Map();

it('a row says what changed, with the figures that changed much', () => {
  const say = (left: Parameters<typeof span>[1], right: Parameters<typeof span>[1]) => {
    const alignment = alignForests(buildForest([span('a', left)]), buildForest([span('a', right)]));
    const { rows } = compareTraces(alignment, NONE, NONE);
    return alignment.nodes.map((node, index) => describeRow(node, rows[index] ?? fail()));
  };
  expect(say({ endMs: 1000 }, { endMs: 2200, modelName: 'm', status: 'ERROR' })).toEqual([
    'fails, model, time +1.20 s',
  ]);
  expect(say({ endMs: 1000 }, { endMs: 1010 })).toEqual(['equal']);
  expect(say({ status: 'ERROR' }, {})).toEqual(['no longer fails']);
});

it('a span that one side has says which', () => {
  const alignment = alignForests(buildForest([span('a'), span('b')]), buildForest([span('c', { kind: 'tool' })]));
  const { rows } = compareTraces(alignment, NONE, NONE);
  expect(alignment.nodes.map((node, index) => describeRow(node, rows[index] ?? fail()))).toEqual([
    'only in A',
    'only in A',
    'only in B',
  ]);
});

it('a change has a sign and, where there was something, a share', () => {
  expect(describeDelta('time', { left: 1200, right: 400 })).toBe('−800 ms');
  expect(describeDelta('cost', { left: 1_000_000, right: 3_000_000 })).toBe('+$0.002');
  expect(describeDelta('tokens', { left: 5, right: 5 })).toBeUndefined();
  expect(describeDelta('tokens', { left: null, right: 5 })).toBeUndefined();
  expect(describeShare({ left: 200, right: 500 })).toBe('+150 %');
  expect(describeShare({ left: 0, right: 5 })).toBeUndefined();
});

function fail(): never {
  throw new Error('There is no such row.');
}
