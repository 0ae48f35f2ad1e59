/** Lays a graph out beside the page. */
import type { GraphLayout, LayoutInput } from './graph-layout.ts';
import { layoutGraph } from './layout.ts';

/** What the worker is sent. */
export interface LayoutQuestion {
  readonly input: LayoutInput;
}

/** What the worker answers. */
export interface LayoutAnswer {
  readonly layout: GraphLayout;
}

addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  const answer: LayoutAnswer = { layout: layoutGraph(data.input) };
  postMessage(answer);
});
