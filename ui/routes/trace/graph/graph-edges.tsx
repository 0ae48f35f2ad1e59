import { memo } from 'react';
import { edgeMiddle, edgePath } from './edge-path.ts';
import styles from './graph-canvas.module.css';
import type { GraphEdge } from './graph-model.ts';
import type { GraphLayout } from './graph-layout.ts';

/** See {@link GraphEdges}. */
export interface GraphEdgesProps {
  /** Those that are in sight. */
  readonly edges: readonly GraphEdge[];
  readonly layout: GraphLayout;
  /** Those that lead back. */
  readonly loops: ReadonlySet<string>;
  /** The node whose edges stand out. */
  readonly active: string | undefined;
}

/** The arrows of a graph. They say nothing to those who hear the page: the list has them in words. */
export const GraphEdges = memo(function GraphEdges({ edges, layout, loops, active }: GraphEdgesProps) {
  return (
    <svg className={styles.edges} width={layout.width} height={layout.height} aria-hidden>
      <defs>
        {TONES.map((tone) => (
          <marker
            key={tone}
            id={`arrow-${tone}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="9"
            markerHeight="9"
            orient="auto-start-reverse"
          >
            <path d="M0 0L8 4L0 8Z" className={styles.arrow} data-tone={tone} />
          </marker>
        ))}
      </defs>
      {edges.map(({ id, from, to, kind, count }) => {
        const points = layout.edges[id] ?? [];
        const middle = edgeMiddle(points);
        const tone = from === active || to === active ? 'active' : loops.has(id) ? 'loop' : kind;
        return (
          <g key={id}>
            <path
              d={edgePath(points)}
              className={styles.edge}
              data-kind={kind}
              data-tone={tone}
              markerEnd={`url(#arrow-${tone})`}
            />
            {count > 1 && middle !== undefined && (
              <text x={middle.x} y={middle.y} className={styles.count}>
                ×{count}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
});

const TONES = ['call', 'next', 'loop', 'active'] as const;
