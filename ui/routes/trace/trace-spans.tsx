import { lazy, Suspense, useCallback, useRef } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { TraceLog } from './log/trace-log.tsx';
import type { TreeNode } from './model/forest.ts';
import { indentRoom, isTooDeepForFigures } from './model/indent.ts';
import { SpanChips } from './span-chips.tsx';
import { SpanMetrics } from './span-metrics.tsx';
import { SpanTree } from './span-tree.tsx';
import { Timeline } from './timeline.tsx';
import type { TraceView } from './trace-view.ts';
import { TraceTime } from './time/trace-time.tsx';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import type { AnnotatedSpans } from './use-annotated-spans.ts';
import type { TraceTree } from './use-trace-tree.ts';
import styles from './trace-spans.module.css';

/** Few people draw a trace: its code comes when somebody does. */
const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));

/** The spans of a trace in the chosen view. */
export function TraceSpans(props: {
  readonly tree: TraceTree;
  readonly view: TraceView;
  readonly hasMetrics: boolean;
  readonly linked: ReadonlySet<string>;
  readonly annotated: AnnotatedSpans;
  readonly label: string;
  readonly onOpen: () => void;
  readonly onShowTree: () => void;
}) {
  const { tree, view, hasMetrics, linked, annotated, label, onOpen, onShowTree } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame);
  const { forest } = tree;
  const isShort = isTooDeepForFigures(forest.maxDepth, width);
  const renderMetrics = useCallback(
    (node: TreeNode) => hasMetrics && <SpanMetrics node={node} forest={forest} isShort={isShort} />,
    [hasMetrics, forest, isShort],
  );
  const renderChips = useCallback(
    ({ span }: TreeNode) => {
      const annotations = span === null ? undefined : annotated.get(span.id);
      return annotations !== undefined && <SpanChips annotations={annotations} />;
    },
    [annotated],
  );
  const isEmpty = (view === 'tree' || view === 'timeline') && tree.rows.length === 0;
  return (
    <div ref={frame} className={styles.spans}>
      {isEmpty && !tree.texts.isSearching && (
        <EmptyState title={`No span matches “${tree.filter}”`}>
          Searched names, kinds, models and the text of spans.
        </EmptyState>
      )}
      {!isEmpty && view === 'tree' && (
        <SpanTree
          tree={tree}
          label={label}
          linked={linked}
          indentPx={indentRoom(width)}
          onOpen={onOpen}
          renderCells={renderMetrics}
          renderChips={renderChips}
        />
      )}
      {!isEmpty && view === 'timeline' && <Timeline tree={tree} label={label} linked={linked} onOpen={onOpen} />}
      {view === 'log' && <TraceLog tree={tree} onOpen={onOpen} />}
      {view === 'time' && <TraceTime tree={tree} onOpen={onOpen} />}
      {view === 'graph' && (
        <Suspense fallback={<ProgressLine isActive label="Loading the graph" />}>
          <GraphView tree={tree} onOpen={onOpen} onShowTree={onShowTree} />
        </Suspense>
      )}
    </div>
  );
}
