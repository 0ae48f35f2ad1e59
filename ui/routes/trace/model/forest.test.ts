import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildForest, type Forest } from './forest.ts';
import { family, span } from './span.fixture.ts';
import type { TraceSpan } from './trace-span.ts';

/** The tree as lines, two spaces a level; stand-ins in brackets, cut loops with a star. */
function draw({ nodes }: Forest): string[] {
  return nodes.map(
    (node) => '  '.repeat(node.depth) + (node.span === null ? `[${node.key}]` : node.key) + (node.isLoopCut ? '*' : ''),
  );
}

describe('buildForest', () => {
  it('puts children below parents, siblings by start', () => {
    const spans = family('root', 'late < root', 'deep < late', 'early < root');
    const moved = spans.map((one) => (one.spanId === 'early' ? { ...one, startMs: 0.5 } : one));
    expect(draw(buildForest(moved))).toEqual(['root', '  early', '  late', '    deep']);
  });

  it('takes children before their parents', () => {
    expect(draw(buildForest(family('c < b', 'b < a', 'a')))).toEqual(['a', '  b', '    c']);
  });

  it('shows several roots by start', () => {
    expect(draw(buildForest(family('a', 'b', 'c < a')))).toEqual(['a', '  c', 'b']);
  });

  it('stands in for a parent that is missing, once for all its children', () => {
    const forest = buildForest(family('a < gone', 'root', 'b < gone'));
    expect(draw(forest)).toEqual(['[gone]', '  a', '  b', 'root']);
    expect(forest.nodes[0]).toMatchObject({ key: 'gone', span: null, startMs: 0, endMs: 12 });
    expect(forest).toMatchObject({ orphanCount: 2, hasRoot: true });
  });

  it('heals when the parent arrives, under the same key', () => {
    const before = buildForest(family('a < gone', 'b < gone'));
    const after = buildForest(family('a < gone', 'b < gone', 'gone'));
    expect([before.orphanCount, after.orphanCount]).toEqual([2, 0]);
    expect([before.hasRoot, after.hasRoot]).toEqual([false, true]);
    expect([...after.byKey.keys()].toSorted()).toEqual([...before.byKey.keys()].toSorted());
  });

  it('calls a stand-in open while a child is', () => {
    const forest = buildForest([span('a', { parentId: 'gone' }), span('b', { parentId: 'gone', endMs: null })]);
    expect(forest.nodes[0]?.endMs).toBeNull();
  });

  it('cuts a loop at its earliest span and keeps what hangs on it', () => {
    expect(draw(buildForest(family('a < c', 'b < a', 'c < b', 'leaf < c')))).toEqual([
      'a*',
      '  b',
      '    c',
      '      leaf',
    ]);
    expect(draw(buildForest(family('self < self')))).toEqual(['self*']);
  });

  it('sums what each subtree costs', () => {
    const spans = family('root', 'b < root', 'c < b', 'd < gone').map((one, place) => ({
      ...one,
      costNanoUsd: 10 ** place,
    }));
    const { nodes, costNanoUsd } = buildForest(spans);
    expect(nodes.map((node) => [node.key, node.costNanoUsd])).toEqual([
      ['root', 111],
      ['b', 110],
      ['c', 100],
      ['gone', 1000],
      ['d', 1000],
    ]);
    expect(costNanoUsd).toBe(1111);
  });

  it('counts failures in each subtree and lists them in the order of the tree', () => {
    const spans = family('root', 'b < root', 'c < b', 'd < root').map((one) =>
      ['c', 'd'].includes(one.spanId) ? { ...one, status: 'ERROR' as const } : one,
    );
    const forest = buildForest(spans);
    expect(forest.failed.map(({ key }) => key)).toEqual(['c', 'd']);
    expect(forest.nodes.map(({ errorCount }) => errorCount)).toEqual([2, 1, 1, 1]);
  });

  it('ends where the last span ends, or starts when it is open', () => {
    const spans = [span('a', { startMs: 5, endMs: 20 }), span('b', { startMs: 30, endMs: null })];
    expect(buildForest(spans)).toMatchObject({ startMs: 5, endMs: 30, openCount: 1 });
  });

  it('is empty without spans', () => {
    expect(buildForest([])).toMatchObject({ nodes: [], startMs: 0, endMs: 0, maxDepth: 0 });
  });

  it('bears 10 000 levels and 50 000 siblings', () => {
    const chain = Array.from({ length: 10_000 }, (_, level) =>
      span(`s${level}`, { parentId: level === 0 ? null : `s${level - 1}`, startMs: level }),
    );
    expect(buildForest(chain.toReversed()).maxDepth).toBe(9999);
    const orphans = Array.from({ length: 50_000 }, (_, place) => span(`o${place}`, { parentId: 'gone' }));
    expect(buildForest(orphans).nodes[0]?.endIndex).toBe(50_001);
  });
});

/** Any spans at all: parents that exist, that do not, loops. */
const anySpans: fc.Arbitrary<TraceSpan[]> = fc
  .uniqueArray(
    fc.record({
      spanId: fc.integer({ min: 0, max: 40 }),
      parentId: fc.option(fc.integer({ min: 0, max: 60 })),
      startMs: fc.integer({ min: 0, max: 20 }),
      endMs: fc.option(fc.integer({ min: 20, max: 40 })),
      isFailed: fc.boolean(),
    }),
    { selector: ({ spanId }) => spanId },
  )
  .map((records) =>
    records.map(({ spanId, parentId, startMs, endMs, isFailed }) =>
      span(String(spanId), {
        parentId: parentId === null ? null : String(parentId),
        startMs,
        endMs,
        status: isFailed ? 'ERROR' : 'OK',
      }),
    ),
  );

describe('any forest', () => {
  it('has every span once, below its parent or as a marked root', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const { nodes, byKey } = buildForest(spans);
        expect(nodes.flatMap((node) => node.span ?? []).length).toBe(spans.length);
        expect(new Set(nodes.map(({ key }) => key)).size).toBe(nodes.length);
        for (const node of nodes) {
          expect(byKey.get(node.key)).toBe(node);
          const expected = node.isLoopCut ? undefined : (node.span?.parentId ?? undefined);
          expect(node.parent?.key).toBe(expected);
        }
      }),
    );
  });

  it('has descendants between a node and its end, and siblings in order of start', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const { nodes } = buildForest(spans);
        for (const [place, node] of nodes.entries()) {
          expect(node.index).toBe(place);
          const children = nodes.filter(({ parent }) => parent === node);
          expect(children.map(({ position }) => position)).toEqual(children.map((_, at) => at + 1));
          expect(children.every((child) => child.depth === node.depth + 1 && child.endIndex <= node.endIndex)).toBe(
            true,
          );
          expect(children.map(({ startMs }) => startMs)).toEqual(
            children.map(({ startMs }) => startMs).toSorted((one, other) => one - other),
          );
          const below = nodes.slice(node.index, node.endIndex);
          expect(node.errorCount).toBe(below.filter(({ span: one }) => one?.status === 'ERROR').length);
        }
      }),
    );
  });

  it('does not depend on the order of arrival', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        expect(draw(buildForest(spans.toReversed()))).toEqual(draw(buildForest(spans)));
      }),
    );
  });
});
