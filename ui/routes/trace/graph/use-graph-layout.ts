import { useEffect, useState } from 'react';
import type { TraceGraph } from './graph-model.ts';
import type { GraphLayout, LayoutInput } from './graph-layout.ts';
import type { LayoutAnswer, LayoutQuestion } from './layout-worker.ts';

/** A graph with its layout. */
export interface LaidOutGraph {
  readonly graph: TraceGraph;
  readonly layout: GraphLayout;
}

/** How long layers may take before the graph is laid out quickly instead. */
const LAYERS_MS = 1500;

/** Where the parts of a graph stand, which another thread finds out; meanwhile what stood before. */
export function useGraphLayout(graph: TraceGraph): {
  readonly laidOut: LaidOutGraph | undefined;
  readonly isFailed: boolean;
} {
  const [laidOut, setLaidOut] = useState<LaidOutGraph>();
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => {
    const input: LayoutInput = {
      nodes: graph.nodes.map(({ id }) => id),
      edges: graph.edges.map(({ id, from, to, kind }) => ({ id, from, to, isCall: kind === 'call' })),
      isQuick: graph.mode === 'expanded',
    };
    const show = (layout: GraphLayout) => {
      clearTimeout(limit);
      setLaidOut({ graph, layout });
    };
    const fail = () => setIsFailed(true);
    let stop = startLayout(input, show, fail);
    const limit = setTimeout(() => {
      if (input.isQuick) return;
      stop();
      stop = startLayout({ ...input, isQuick: true }, show, fail);
    }, LAYERS_MS);
    return () => {
      clearTimeout(limit);
      stop();
    };
  }, [graph]);
  return { laidOut, isFailed };
}

/** Lays a graph out in a worker of its own; returns what ends it at once. */
function startLayout(input: LayoutInput, onLayout: (layout: GraphLayout) => void, onFail: () => void): () => void {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    onLayout(data.layout);
    worker.terminate();
  });
  worker.addEventListener('error', onFail);
  const question: LayoutQuestion = { input };
  worker.postMessage(question);
  return () => worker.terminate();
}
