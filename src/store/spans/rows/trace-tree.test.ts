import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceTree } from './trace-tree.ts';

/** Each span by the place of its parent; its row id is its place and 100. */
function treeOf(parents: readonly (number | null)[], failing: readonly number[] = []): TraceTree {
  return new TraceTree(
    parents.map((parent, place) => ({
      id: place + 100,
      span_id: `s${place}`,
      parent_span_id: parent === null ? null : `s${parent}`,
      has_error: failing.includes(place) ? 1 : 0,
      call_distance: null,
      counted_prompt_tokens: 1,
      counted_completion_tokens: 2,
      counted_cost_nanousd: 30,
      counted_prompt_cost_nanousd: 10,
      counted_completion_cost_nanousd: 20,
    })),
  );
}

describe('the tree of a trace', () => {
  it('adds up from the leaves', () => {
    const tree = treeOf([null, 0, 0, 1, 9], [0, 3]);
    expect(tree.subtree(100)).toEqual({
      childCount: 2,
      errorCount: 2,
      promptTokenCount: 4,
      completionTokenCount: 8,
      costNanoUsd: 120,
      promptCostNanoUsd: 40,
      completionCostNanoUsd: 80,
    });
    expect(tree.subtree(102)).toMatchObject({ childCount: 0, errorCount: 0, promptTokenCount: 1, costNanoUsd: 30 });
    expect(tree.subtree(104)?.promptTokenCount).toBe(1);
    expect(tree.subtree(99)).toBeUndefined();
  });

  it('goes down as many levels as are asked for', () => {
    const tree = treeOf([null, 0, 1, 2, 0]);
    expect(tree.descendants(100, 1)).toEqual([101, 104]);
    expect(tree.descendants(100, 2)).toEqual([101, 104, 102]);
    expect(tree.descendants(100, 0)).toEqual([101, 104, 102, 103]);
    expect(tree.descendants(99, 0)).toEqual([]);
  });

  it('is as deep as a trace is long', () => {
    const tree = treeOf(Array.from({ length: 100_000 }, (_, place) => (place === 0 ? null : place - 1)));
    expect(tree.subtree(100)?.promptTokenCount).toBe(100_000);
    expect(tree.descendants(100, 0)).toHaveLength(99_999);
  });

  it('counts each span once below each of its ancestors, and ends in circles', () => {
    const anyParents = fc.array(fc.option(fc.nat(11)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(anyParents, (parents) => {
        const tree = treeOf(parents);
        for (const place of parents.keys()) {
          const below = tree.descendants(place + 100, 0);
          expect(new Set(below).size).toBe(below.length);
          expect(below).not.toContain(place + 100);
          const isOnCircle = below.some((rowId) => tree.descendants(rowId, 0).includes(place + 100));
          const hasCircleBelow =
            isOnCircle ||
            below.some((id) => tree.descendants(id, 0).some((other) => tree.descendants(other, 0).includes(id)));
          if (!hasCircleBelow) expect(tree.subtree(place + 100)?.promptTokenCount).toBe(below.length + 1);
        }
      }),
    );
  });
});
