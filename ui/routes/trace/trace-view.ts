/** How a trace is shown: said by the address, and remembered by the browser. */
import { createStored } from '#ui/lib/storage.ts';

/** See {@link lastTraceView}. */
export type TraceView = 'tree' | 'timeline' | 'log' | 'time' | 'graph';

const VIEWS: readonly TraceView[] = ['tree', 'timeline', 'log', 'time', 'graph'];

/** The view that was chosen last. */
export const lastTraceView = createStored<TraceView>('trace.view', 'tree', readTraceView);

/** The view of that name. */
export function readTraceView(value: unknown): TraceView | undefined {
  return VIEWS.find((view) => view === value);
}

/** Whether rows of the tree say tokens, latency and model. */
export const hasTreeMetrics = createStored('trace.metrics', true, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** Whether the timeline marks the critical path. */
export const hasCriticalPath = createStored('trace.path', false, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** The view after one, and after the last the first. */
export function nextView(view: TraceView): TraceView {
  return VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? view;
}
