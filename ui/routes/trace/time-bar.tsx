import type { CSSProperties } from 'react';
import { describeKind } from '#ui/components/kind-icon.tsx';
import type { TreeNode } from './model/forest.ts';
import { barIn, type TimeWindow } from './model/time-window.ts';
import styles from './time-bar.module.css';

/** When a span ran, as a bar across its parent's width. It is never thinner than can be seen. */
export function TimeBar(props: {
  readonly node: TreeNode;
  readonly window: TimeWindow;
  readonly traceEndMs: number;
  /** Written beside the bar. */
  readonly label?: string;
}) {
  const { node, label } = props;
  const window = { startMs: props.window.startMs, endMs: Math.max(props.window.endMs, props.window.startMs + 0.01) };
  const isOpen = node.endMs === null;
  const { left, width, outside } = barIn(window, node.startMs, node.endMs ?? props.traceEndMs);
  if (outside !== undefined) return <span className={styles.outside} data-side={outside} aria-hidden />;
  const color = describeKind(node.span?.kind ?? 'unknown').color;
  const style = { '--left': `${left * 100}%`, '--width': `${width * 100}%`, '--kind': color } as CSSProperties;
  return (
    <>
      <span
        className={styles.bar}
        data-bar
        style={style}
        data-stand-in={node.span === null || undefined}
        data-status={node.span?.status}
        data-open={isOpen || undefined}
        aria-hidden
      />
      {label !== undefined && (
        <span className={styles.label} style={style} data-place={placeOf(left, width)}>
          {label}
        </span>
      )}
    </>
  );
}

/** Where there is room for a label. */
function placeOf(left: number, width: number): 'after' | 'before' | 'inside' {
  if (left + width < 0.88) return 'after';
  return left > 0.12 ? 'before' : 'inside';
}
