/** Where the nodes and edges of a graph stand. Pure, and for the worker: large graphs take a while. */
import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import { type GraphLayout, type LayoutInput, NODE_HEIGHT, NODE_WIDTH, type Point } from './graph-layout.ts';
import { layoutTree } from './tree-layout.ts';

/** Around the graph. */
const MARGIN = 24;

/** More dagre would not lay out in time. */
const MAX_NODES = 200;
const MAX_EDGES = 400;

/** Lays the graph out: in layers from above to below, which of many edges can take long; quickly, or if it is large, from left to right. */
export function layoutGraph(input: LayoutInput): GraphLayout {
  const isLarge = input.nodes.length > MAX_NODES || input.edges.length > MAX_EDGES;
  return input.isQuick || isLarge ? layoutTree(input, MARGIN) : layoutLayers(input);
}

function layoutLayers({ nodes, edges }: LayoutInput): GraphLayout {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 44, edgesep: 14, marginx: MARGIN, marginy: MARGIN });
  for (const id of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { id, from, to, isCall } of edges) graph.setEdge(from, to, { weight: isCall ? 2 : 1, ...LABEL }, id);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: Object.fromEntries(nodes.map((id) => [id, toPoint(graph.node(id))])),
    edges: Object.fromEntries(
      edges.map(({ id, from, to }) => [id, (graph.edge(from, to, id).points ?? []).map(toPoint)]),
    ),
  };
}

/** Room for a count. */
const LABEL = { width: 24, height: 14, labelpos: 'c' } as const;

function toPoint({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): Point {
  return { x, y };
}
