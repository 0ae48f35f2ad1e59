import { describe, expect, it } from 'vitest';
import { type LayoutEdge, type LayoutInput, NODE_HEIGHT, NODE_WIDTH } from './graph-layout.ts';
import { layoutGraph } from './layout.ts';

function input(lines: readonly string[], isQuick = false): LayoutInput {
  const edges = lines.map((line): LayoutEdge => {
    const [from = '', sign, to = ''] = line.split(' ');
    return { id: line, from, to, isCall: sign === '>' };
  });
  return { nodes: [...new Set(edges.flatMap(({ from, to }) => [from, to]))], edges, isQuick };
}

/** Pairs of nodes that cover each other. */
function overlapsOf({ nodes }: ReturnType<typeof layoutGraph>): readonly string[] {
  const places = Object.entries(nodes);
  return places.flatMap(([one, a], place) =>
    places
      .slice(place + 1)
      .filter(([, b]) => Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < NODE_HEIGHT)
      .map(([other]) => `${one} ${other}`),
  );
}

describe.each([
  ['layers', ['a > b', 'a > c', 'b . c', 'c . b', 'b > b'], false],
  ['a tree', ['a > b', 'a > c', 'b . c', 'c > d', 'c > e', 'd . e'], true],
])('%s', (_, lines, isQuick) => {
  const given = input(lines, isQuick);
  const laidOut = layoutGraph(given);

  it('give each node a place of its own within the drawing', () => {
    expect(Object.keys(laidOut.nodes).sort()).toEqual([...given.nodes].sort());
    expect(overlapsOf(laidOut)).toEqual([]);
    for (const { x, y } of Object.values(laidOut.nodes)) {
      expect(x).toBeGreaterThanOrEqual(NODE_WIDTH / 2);
      expect(x).toBeLessThanOrEqual(laidOut.width - NODE_WIDTH / 2);
      expect(y).toBeGreaterThanOrEqual(NODE_HEIGHT / 2);
      expect(y).toBeLessThanOrEqual(laidOut.height - NODE_HEIGHT / 2);
    }
  });

  it('give each edge a way, loops included', () => {
    expect(Object.keys(laidOut.edges).sort()).toEqual([...lines].sort());
    for (const points of Object.values(laidOut.edges)) expect(points.length).toBeGreaterThan(1);
  });
});

it('a tree keeps the order of siblings, and its depth may be anything', () => {
  const { nodes } = layoutGraph(input(['a > b', 'a > c', 'a > d'], true));
  const heights = ['b', 'c', 'd'].map((id) => nodes[id]?.y ?? 0);
  expect(heights).toEqual(heights.toSorted((one, other) => one - other));
  const chain = Array.from({ length: 1999 }, (_, place) => `n${place} > n${place + 1}`);
  expect(Object.keys(layoutGraph(input(chain, true)).nodes)).toHaveLength(2000);
});

it('a graph of two thousand steps that call each other in circles has a layout, too', () => {
  const lines = Array.from({ length: 2000 }, (_, place) => [
    `n${place} > n${(place * 7 + 1) % 2000}`,
    `n${(place * 13) % 2000} . n${place}`,
  ]).flat();
  const laidOut = layoutGraph(input([...new Set(lines)]));
  expect(Object.keys(laidOut.nodes)).toHaveLength(2000);
});
