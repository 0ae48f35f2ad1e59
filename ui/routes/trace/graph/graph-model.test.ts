import { describe, expect, it } from 'vitest';
import { buildForest } from '../model/forest.ts';
import { family, span } from '../model/span.fixture.ts';
import type { TraceSpan } from '../model/trace-span.ts';
import { buildGraph, canExpand, findLoops, type GraphMode, MAX_GRAPH_NODES, type TraceGraph } from './graph-model.ts';

const graphOf = (spans: readonly TraceSpan[], mode: GraphMode = 'merged') => buildGraph(buildForest(spans), mode);

function edgesOf({ nodes, edges }: TraceGraph): readonly string[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges.map(({ from, to, kind, count }) => `${names.get(from)} ${kind} ${names.get(to)} x${count}`).sort();
}

/** An agent that asks a model, uses a tool, and asks again, one after the other. */
const AGENT = [
  span('a', { name: 'agent', kind: 'agent', startMs: 0, endMs: 100 }),
  ...['llm', 'tool', 'llm', 'tool', 'llm'].map((kind, place) =>
    span(`${place}`, {
      name: kind === 'llm' ? 'ask' : 'search',
      kind: kind as 'llm' | 'tool',
      parentId: 'a',
      startMs: 10 * place,
      endMs: 10 * place + 10,
      status: place === 1 ? 'ERROR' : 'OK',
    }),
  ),
];

describe('merged', () => {
  it('is a node for each name and kind, with its calls and errors', () => {
    const { nodes, byKey } = graphOf(AGENT);
    expect(nodes.map(({ name, kind, calls, errorCount }) => [name, kind, calls.length, errorCount])).toEqual([
      ['agent', 'agent', 1, 0],
      ['ask', 'llm', 3, 0],
      ['search', 'tool', 2, 1],
    ]);
    expect(byKey.get('3')).toBe(nodes[2]);
    const alike = [span('x', { name: 'n', kind: 'llm' }), span('y', { name: 'n', kind: 'tool' })];
    expect(graphOf(alike).nodes).toHaveLength(2);
  });

  it('counts calls, and what came after what', () => {
    expect(edgesOf(graphOf(AGENT))).toEqual([
      'agent call ask x3',
      'agent call search x2',
      'ask next search x2',
      'search next ask x2',
    ]);
  });

  it('shows loops: a circle once, and what calls itself', () => {
    const graph = graphOf(AGENT);
    const back = graph.edges.filter(({ id }) => findLoops(graph).has(id));
    expect(edgesOf({ ...graph, edges: back })).toEqual(['search next ask x2']);
    const recursive = graphOf(family('a', 'b < a', 'c < b').map((one) => ({ ...one, name: 'again' })));
    expect(edgesOf(recursive)).toEqual(['again call again x2']);
    expect(findLoops(recursive).size).toBe(1);
  });

  it('has one node for parents that have not arrived', () => {
    expect(edgesOf(graphOf(family('b < x', 'c < y')))).toEqual(['Not received call b x1', 'Not received call c x1']);
  });
});

describe('what comes after what', () => {
  it('is no pair that ran at once: the next is after the one that ended last', () => {
    const at = (id: string, startMs: number, endMs: number | null) => span(id, { parentId: 'p', startMs, endMs });
    const spans = [span('p', { endMs: 100 }), at('a', 0, 10), at('b', 0, 20), at('c', 30, null), at('d', 40, 50)];
    expect(edgesOf(graphOf(spans, 'expanded')).filter((edge) => edge.includes('next'))).toEqual([
      'b next c x1',
      'b next d x1',
    ]);
  });

  it('holds for spans without a duration, each after the one before', () => {
    const spans = [span('p', { endMs: 100 }), ...['a', 'b', 'c'].map((id) => span(id, { parentId: 'p', endMs: 0 }))];
    expect(edgesOf(graphOf(spans, 'expanded')).filter((edge) => edge.includes('next'))).toEqual([
      'a next b x1',
      'b next c x1',
    ]);
  });
});

describe('expanded', () => {
  it('is a node for each span', () => {
    const graph = graphOf(AGENT, 'expanded');
    expect(graph.mode).toBe('expanded');
    expect(graph.nodes).toHaveLength(6);
    expect(findLoops(graph).size).toBe(0);
  });

  it('is merged where there are too many spans, and without the rarest steps where that does not suffice', () => {
    const many = Array.from({ length: MAX_GRAPH_NODES + 1 }, (_, place) => span(`${place}`, { name: `${place >> 1}` }));
    expect(canExpand(buildForest(many))).toBe(false);
    expect(graphOf(many, 'expanded')).toMatchObject({ mode: 'merged', hiddenCount: 0 });
    const distinct = [...many.map((one) => ({ ...one, name: one.spanId })), span('again', { name: '2000' })];
    const graph = graphOf(distinct);
    expect([graph.nodes.length, graph.hiddenCount]).toEqual([MAX_GRAPH_NODES, 1]);
    expect(graph.byKey.get('2000')?.calls).toHaveLength(2);
  });
});
