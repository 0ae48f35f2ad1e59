import { useCallback, useRef } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { TraceLog } from './log/trace-log.tsx';
import type { TreeNode } from './model/forest.ts';
import { SpanMetrics } from './span-metrics.tsx';
import { SpanTree } from './span-tree.tsx';
import { Timeline } from './timeline.tsx';
import type { TraceView } from './trace-view.ts';
import { TraceTime } from './time/trace-time.tsx';
import { useElementWidth } from './use-element-width.ts';
import type { TraceTree } from './use-trace-tree.ts';
import styles from './trace-spans.module.css';

/** Indentation takes no more than this share of the width. */
const INDENT_SHARE = 0.4;

/** The spans of a trace in the chosen view. */
export function TraceSpans(props: {
  readonly tree: TraceTree;
  readonly view: TraceView;
  readonly hasMetrics: boolean;
  readonly linked: ReadonlySet<string>;
  readonly label: string;
  readonly onOpen: () => void;
}) {
  const { tree, view, hasMetrics, linked, label, onOpen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame);
  const { forest } = tree;
  const renderMetrics = useCallback(
    (node: TreeNode) => hasMetrics && <SpanMetrics node={node} forest={forest} />,
    [hasMetrics, forest],
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
          indentPx={width * INDENT_SHARE}
          onOpen={onOpen}
          renderCells={renderMetrics}
        />
      )}
      {!isEmpty && view === 'timeline' && <Timeline tree={tree} label={label} linked={linked} onOpen={onOpen} />}
      {view === 'log' && <TraceLog tree={tree} onOpen={onOpen} />}
      {view === 'time' && <TraceTime tree={tree} onOpen={onOpen} />}
    </div>
  );
}
