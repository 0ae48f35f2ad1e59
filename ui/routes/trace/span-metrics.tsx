import { Name } from '#ui/components/name.tsx';
import { formatDuration, formatTokens, formatUsd } from '#ui/lib/format.ts';
import type { Forest, TreeNode } from './model/forest.ts';
import { TimeBar } from './time-bar.tsx';
import styles from './span-metrics.module.css';

/** See {@link SpanMetrics}. */
export interface SpanMetricsProps {
  readonly node: TreeNode;
  readonly forest: Forest;
  /** Of a deep tree only the latency: the names need the room. */
  readonly isShort: boolean;
}

/** What a row of the tree says of a span besides its name. */
export function SpanMetrics({ node, forest, isShort }: SpanMetricsProps) {
  const { span } = node;
  const isOpen = node.endMs === null;
  const latency = (
    <span className={styles.latency} data-open={isOpen || undefined}>
      {span === null ? '' : node.endMs === null ? 'running' : formatDuration(node.endMs - node.startMs)}
    </span>
  );
  if (isShort) return <span className={styles.metrics}>{latency}</span>;
  return (
    <span className={styles.metrics}>
      {span?.modelName != null && (
        <span className={styles.model}>
          <Name>{span.modelName}</Name>
        </span>
      )}
      <span className={styles.tokens} title={tokensTitle(span)} data-counted={span === null || countsOrIsNone(span)}>
        {span?.tokenCount != null && tokensText(span)}
      </span>
      {forest.costNanoUsd > 0 && (
        <span className={styles.cost} title={costTitle(node)}>
          {span !== null && span.costNanoUsd > 0 && formatUsd(span.costNanoUsd / 1e9)}
        </span>
      )}
      {latency}
      <span className={styles.axis}>
        <TimeBar node={node} window={forest} traceEndMs={forest.endMs} />
      </span>
    </span>
  );
}

type Span = NonNullable<TreeNode['span']>;

function countsOrIsNone({ countsInSums, tokenCount }: Span): boolean {
  return countsInSums || tokenCount === null || tokenCount === 0;
}

/** In brackets where they are counted in another span. */
function tokensText(span: Span): string {
  const tokens = formatTokens(span.tokenCount);
  return countsOrIsNone(span) ? tokens : `(${tokens})`;
}

function tokensTitle(span: TreeNode['span']): string | undefined {
  if (span?.tokenCount == null) return undefined;
  return `${span.tokenCount} tokens${countsOrIsNone(span) ? '' : ', not counted here (the span’s details say why)'}`;
}

function costTitle({ span, costNanoUsd, index, endIndex }: TreeNode): string | undefined {
  if (costNanoUsd === 0) return undefined;
  const own =
    span === null || span.costNanoUsd === 0 ? 'No cost of its own' : `Cost ${formatUsd(span.costNanoUsd / 1e9)}`;
  return endIndex === index + 1 ? own : `${own}, ${formatUsd(costNanoUsd / 1e9)} including the spans below`;
}
