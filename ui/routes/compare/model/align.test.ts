import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildForest } from '../../trace/model/forest.ts';
import { family, span } from '../../trace/model/span.fixture.ts';
import type { TraceSpan } from '../../trace/model/trace-span.ts';
import { alignForests, type Alignment } from './align.ts';

/** A line of the aligned tree: `  a = b` for a pair, `a <` for what only the left has, `> b`; `~` for moved ones. */
function show({ nodes }: Alignment): string[] {
  return nodes.map(({ left, right, depth, isMoved }) => {
    const indent = '  '.repeat(depth);
    if (left !== null && right !== null) return `${indent}${left.key} ${isMoved ? '~' : '='} ${right.key}`;
    return indent + (left === null ? `> ${right?.key}` : `${left.key} <`);
  });
}

/** Spans whose ids are their names and a figure, such as `chat1 < agent1`, named without the figure. */
function steps(...lines: string[]): TraceSpan[] {
  return family(...lines).map((each) => ({
    ...each,
    name: each.spanId.replace(/\d+$/, ''),
    endMs: each.startMs + 0.5,
  }));
}

const align = (left: readonly TraceSpan[], right: readonly TraceSpan[], contents: Record<string, string> = {}) =>
  show(alignForests(buildForest(left), buildForest(right), ({ key }) => contents[key]));

describe('the spans of two traces', () => {
  it('belong together by name and order', () => {
    expect(align(steps('r1', 'plan1 < r1', 'chat1 < r1'), steps('r2', 'plan2 < r2', 'chat2 < r2'))).toEqual([
      'r1 = r2',
      '  plan1 = plan2',
      '  chat1 = chat2',
    ]);
  });

  it('keep their partners where one was inserted or is missing', () => {
    const left = steps('r1', 'plan1 < r1', 'search1 < r1', 'chat1 < r1');
    const right = steps('r2', 'guard2 < r2', 'plan2 < r2', 'chat2 < r2', 'log2 < r2');
    expect(align(left, right)).toEqual([
      'r1 = r2',
      '  > guard2',
      '  plan1 = plan2',
      '  search1 <',
      '  chat1 = chat2',
      '  > log2',
    ]);
  });

  it('leave a failed attempt alone: what succeeded is the partner of what succeeded', () => {
    const left = steps('r1', 'chat1 < r1');
    const right = steps('r2', 'chat2 < r2', 'chat3 < r2').map((each) =>
      each.spanId === 'chat2' ? { ...each, status: 'ERROR' as const } : each,
    );
    expect(align(left, right)).toEqual(['r1 = r2', '  > chat2', '  chat1 = chat3']);
  });

  it('of the same name are told apart by what they hold', () => {
    const left = steps('r1', 'step1 < r1', 'step2 < r1', 'step3 < r1');
    const right = steps('r2', 'step4 < r2', 'step5 < r2', 'step6 < r2', 'step7 < r2');
    const contents = { step1: 'a', step2: 'b', step3: 'c', step4: 'new', step5: 'a', step6: 'b', step7: 'c' };
    expect(align(left, right, contents)).toEqual([
      'r1 = r2',
      '  > step4',
      '  step1 = step5',
      '  step2 = step6',
      '  step3 = step7',
    ]);
  });

  it('that changed their order are marked, those that ran at the same time are not', () => {
    const left = steps('r1', 'a1 < r1', 'b1 < r1', 'c1 < r1');
    const right = steps('r2', 'c2 < r2', 'a2 < r2', 'b2 < r2');
    expect(align(left, right)).toEqual(['r1 = r2', '  c1 ~ c2', '  a1 = a2', '  b1 = b2']);
    const parallel = (spans: readonly TraceSpan[]) => spans.map((each) => ({ ...each, endMs: 100 }));
    expect(align(parallel(left), parallel(right))).toEqual(['r1 = r2', '  c1 = c2', '  a1 = a2', '  b1 = b2']);
  });

  it('are the same step although the model in the name, a figure or the name of the call is another', () => {
    const call = (spanId: string, modelName: string, startMs: number) =>
      span(spanId, {
        parentId: spanId.startsWith('l') ? 'l' : 'r',
        name: `chat ${modelName}`,
        modelName,
        kind: 'llm',
        startMs,
      });
    const left = [span('l'), call('l1', 'gpt-4o', 1), span('l2', { parentId: 'l', name: 'chunk 12', startMs: 2 })];
    const right = [span('r'), call('r1', 'claude', 1), span('r2', { parentId: 'r', name: 'chunk 7', startMs: 2 })];
    expect(align(left, right)).toEqual(['l = r', '  l1 = r1', '  l2 = r2']);
    const renamed = [span('r'), span('r1', { parentId: 'r', name: 'generate', kind: 'llm', startMs: 1 })];
    expect(align(left.slice(0, 2), renamed)).toEqual(['l = r', '  l1 = r1']);
    const otherTool = [span('r'), span('r1', { parentId: 'r', name: 'calculator', kind: 'tool', startMs: 1 })];
    const tool = [span('l'), span('l1', { parentId: 'l', name: 'search', kind: 'tool', startMs: 1 })];
    expect(align(tool, otherTool)).toEqual(['l = r', '  l1 <', '  > r1']);
  });

  it('find their partners below a span that was put in between, on either side', () => {
    const flat = steps('r1', 'plan1 < r1', 'chat1 < r1');
    const wrapped = steps('r2', 'retry2 < r2', 'plan2 < retry2', 'chat2 < retry2');
    expect(align(flat, wrapped)).toEqual(['r1 = r2', '  > retry2', '    plan1 = plan2', '    chat1 = chat2']);
    expect(align(wrapped, flat)).toEqual(['r2 = r1', '  retry2 <', '    plan2 = plan1', '    chat2 = chat1']);
  });

  it('of a trace that has none are all of the other', () => {
    expect(align([], steps('r2', 'a2 < r2'))).toEqual(['> r2', '  > a2']);
    expect(align([], [])).toEqual([]);
  });
});

describe('any two traces', () => {
  const tree = fc.array(
    fc.record({ parent: fc.nat(), name: fc.constantFrom('a', 'b', 'c', 'd'), error: fc.boolean() }),
    {
      maxLength: 30,
    },
  );
  const toSpans = (side: string, drawn: readonly { parent: number; name: string; error: boolean }[]) =>
    drawn.map(({ parent, name, error }, place) =>
      span(`${side}${place}`, {
        parentId: place === 0 ? null : `${side}${parent % place}`,
        name,
        status: error ? 'ERROR' : 'OK',
        startMs: place,
        endMs: place + 3,
      }),
    );

  it('have every span once, pairs of one kind and name, parents before children', () => {
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const [left, right] = [toSpans('l', one), toSpans('r', other)];
        const { nodes } = alignForests(buildForest(left), buildForest(right));
        const idsOf = (side: 'left' | 'right') => nodes.flatMap((node) => node[side]?.key ?? []).toSorted();
        expect(idsOf('left')).toEqual(left.map(({ spanId }) => spanId).toSorted());
        expect(idsOf('right')).toEqual(right.map(({ spanId }) => spanId).toSorted());
        for (const [place, node] of nodes.entries()) {
          expect(node.index).toBe(place);
          if (node.parent !== null) expect(node.parent.index).toBeLessThan(place);
          expect(node.endIndex).toBeGreaterThan(place);
          const isBoth = node.left !== null && node.right !== null && node.parent !== null;
          if (isBoth && node.left?.span?.name !== node.right?.span?.name)
            // Renamed: what is below them tells that they belong together.
            expect((node.left?.endIndex ?? 0) - (node.left?.index ?? 0)).toBeGreaterThan(1);
        }
      }),
      { seed: 72, numRuns: 300 },
    );
  });

  it('that are the same are pairs, none of them moved', () => {
    fc.assert(
      fc.property(tree, (drawn) => {
        const { nodes } = alignForests(buildForest(toSpans('l', drawn)), buildForest(toSpans('r', drawn)));
        for (const { left, right, isMoved } of nodes) {
          expect(left?.key.slice(1)).toBe(right?.key.slice(1));
          expect(isMoved).toBe(false);
        }
      }),
      { seed: 72, numRuns: 300 },
    );
  });
});

describe('ten thousand spans on each side', () => {
  const many = (side: string, parentOf: (place: number) => number | null, nameOf: (place: number) => string) =>
    buildForest(
      Array.from({ length: 10_000 }, (_, place) => {
        const parent = parentOf(place);
        return span(`${side}${place}`, {
          parentId: parent === null ? null : `${side}${parent}`,
          name: nameOf(place),
          startMs: place,
          endMs: place + 0.5,
        });
      }),
    );
  const flat = (place: number) => (place === 0 ? null : 0);
  const paired = ({ nodes }: Alignment) => nodes.filter(({ left, right }) => left !== null && right !== null).length;

  it.each([
    ['of one name below one span', flat, () => 'step', () => 'step', 10_000],
    [
      'of two hundred names in other orders',
      flat,
      (place: number) => `n${place % 200}x`,
      (place: number) => `n${(place * 7) % 200}x`,
      9000,
    ],
    ['that have nothing in common', flat, (place: number) => `left ${'x'.repeat(place % 90)}`, () => 'right', 1],
    ['in one line', (place: number) => (place === 0 ? null : place - 1), () => 'step', () => 'step', 10_000],
    [
      'as a tree',
      (place: number) => (place === 0 ? null : Math.floor((place - 1) / 8)),
      (place: number) => `n${place % 5}`,
      (place: number) => `n${(place + (place > 4000 ? 1 : 0)) % 5}`,
      5000,
    ],
  ] as const)('%s are aligned before anybody waits', (_name, parentOf, leftName, rightName, leastPairs) => {
    const [left, right] = [many('l', parentOf, leftName), many('r', parentOf, rightName)];
    const startedMs = performance.now();
    const alignment = alignForests(left, right);
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeLessThan(5000);
    expect(paired(alignment)).toBeGreaterThanOrEqual(leastPairs);
  });
});
