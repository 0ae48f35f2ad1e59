import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { type CostSummary, readCosts } from '#ui/lib/costs.ts';
import type { TreeNode } from '../trace/model/forest.ts';
import { Delta } from './delta.tsx';
import type { AlignedNode } from './model/align.ts';
import { type FigureKind, formatFigure } from './model/describe-changes.ts';
import { type FigurePair, isLarge } from './model/differences.ts';
import styles from './pair-header.module.css';
import { SideMark } from './side-mark.tsx';
import type { TraceRef } from './use-comparison.ts';

/** What both spans took. */
export interface PairFigures {
  readonly time: FigurePair;
  readonly prompt: FigurePair;
  readonly completion: FigurePair;
  readonly cost: { readonly left: CostSummary | null; readonly right: CostSummary | null };
  readonly status: { readonly left: string; readonly right: string };
}

/** See {@link PairHeader}. */
export interface PairHeaderProps {
  readonly node: AlignedNode;
  readonly figures: PairFigures;
  readonly a: TraceRef;
  readonly b: TraceRef;
}

/** How the two spans are called and what they took. */
export function PairHeader({ node, figures, a, b }: PairHeaderProps) {
  const cost = { left: toNano(figures.cost.left), right: toNano(figures.cost.right) };
  const rows: readonly FigureRowProps[] = [
    { label: 'Time', kind: 'time', figures: figures.time, floor: 50 },
    { label: 'Prompt tokens', kind: 'tokens', figures: figures.prompt, floor: 10 },
    { label: 'Completion tokens', kind: 'tokens', figures: figures.completion, floor: 10 },
    { label: 'Cost', kind: 'cost', figures: cost, floor: 1000 },
  ];
  return (
    <header className={styles.header}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <SideHead side="A" node={node.left} status={figures.status.left} trace={a} />
            <SideHead side="B" node={node.right} status={figures.status.right} trace={b} />
            <th scope="col" className={styles.change}>
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ figures: own }) => own.left !== null || own.right !== null)
            .map((row) => (
              <FigureRow key={row.label} {...row} />
            ))}
        </tbody>
      </table>
    </header>
  );
}

function toNano(summary: CostSummary | null): number | null {
  const { total } = readCosts(summary);
  return total === null ? null : Math.round(total * 1e9);
}

function SideHead(props: {
  readonly side: 'A' | 'B';
  readonly node: TreeNode | null;
  readonly status: string;
  readonly trace: TraceRef;
}): ReactNode {
  const { side, node, status, trace } = props;
  const { projectId, traceId } = trace;
  if (node === null || node.span === null) return <th scope="col">{side}</th>;
  const { id, kind, name } = node.span;
  return (
    <th scope="col">
      <Link
        to="/projects/$projectId/traces/$traceId"
        params={{ projectId, traceId }}
        search={{ view: 'full', selectedSpanNodeId: id }}
        className={styles.span}
        title={`Open in trace ${side}`}
      >
        <SideMark side={side} />
        <KindIcon kind={kind} size={14} />
        <span className={styles.name}>
          <Name>{name === '' ? 'unnamed' : name}</Name>
        </span>
        <StatusMark status={node.endMs === null ? 'OPEN' : status} isQuiet />
        <ExternalLink size={12} aria-hidden className={styles.out} />
      </Link>
    </th>
  );
}

interface FigureRowProps {
  readonly label: string;
  readonly kind: FigureKind;
  readonly figures: FigurePair;
  /** Less than this does not count. */
  readonly floor: number;
}

function FigureRow({ label, kind, figures, floor }: FigureRowProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{formatFigure(kind, figures.left)}</td>
      <td>{formatFigure(kind, figures.right)}</td>
      <td className={styles.change}>
        <Delta kind={kind} figures={figures} isLarge={isLarge(figures, floor)} hasShare />
      </td>
    </tr>
  );
}
