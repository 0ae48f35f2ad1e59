import { describe, expect, it } from 'vitest';
import { buildForest } from './forest.ts';
import { listLanes } from './lanes.ts';
import { family } from './span.fixture.ts';

describe('listLanes', () => {
  const spans = family('root', 'a < root', 'b < a', 'c < b', 'x < gone').map((span) =>
    span.spanId === 'a' ? { ...span, status: 'ERROR' as const } : span,
  );

  it('has a line for each level, and the last for all deeper ones', () => {
    const { bars, count } = listLanes(buildForest(spans), 3);
    expect(Object.fromEntries(bars.map(({ node, lane }) => [node.key, lane]))).toEqual({
      root: 0,
      a: 1,
      b: 2,
      c: 2,
      x: 1,
    });
    expect(count).toBe(3);
  });

  it('has failed spans last, so that nothing is drawn over them, and no stand-ins', () => {
    const keys = listLanes(buildForest(spans), 3).bars.map(({ node }) => node.key);
    expect(keys.at(-1)).toBe('a');
    expect(keys).not.toContain('gone');
  });
});
