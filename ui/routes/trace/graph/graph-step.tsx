import { CircleX } from 'lucide-react';
import { memo } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './graph-canvas.module.css';
import type { GraphNode } from './graph-model.ts';
import { NODE_HEIGHT, NODE_WIDTH, type Point } from './graph-layout.ts';

/** See {@link GraphStep}. */
export interface GraphStepProps {
  readonly node: GraphNode;
  /** Its middle. */
  readonly at: Point | undefined;
  readonly isActive: boolean;
  /** Whether the tab key leads to it: to one of all, from which the arrow keys lead on. */
  readonly isReachable: boolean;
  readonly onSelect: (node: GraphNode) => void;
}

/** A step of the graph. */
export const GraphStep = memo(function GraphStep({ node, at, isActive, isReachable, onSelect }: GraphStepProps) {
  if (at === undefined) return null;
  return (
    <button
      type="button"
      className={styles.step}
      data-step
      aria-pressed={isActive}
      title={revealHidden(node.name)}
      tabIndex={isReachable ? 0 : -1}
      style={{ insetInlineStart: at.x - NODE_WIDTH / 2, insetBlockStart: at.y - NODE_HEIGHT / 2 }}
      onClick={() => onSelect(node)}
    >
      <KindIcon kind={node.kind} />
      <span className={styles.name}>
        <Name>{node.name}</Name>
      </span>
      <VisuallyHidden>{describeCalls(node)}</VisuallyHidden>
      {node.errorCount > 0 && (
        <span className={styles.errors} aria-hidden>
          <CircleX size={13} />
          {node.errorCount > 1 && formatExact(node.errorCount)}
        </span>
      )}
      {node.calls.length > 1 && (
        <span className={styles.calls} aria-hidden>
          ×{formatExact(node.calls.length)}
        </span>
      )}
    </button>
  );
});

/** `, 3 calls, 1 error`, after the name. */
function describeCalls({ calls, errorCount }: GraphNode): string {
  const counts = [
    ...(calls.length > 1 ? [`${formatExact(calls.length)} calls`] : []),
    ...(errorCount > 0 ? [`${formatExact(errorCount)} ${errorCount === 1 ? 'error' : 'errors'}`] : []),
  ];
  return counts.map((count) => `, ${count}`).join('');
}
