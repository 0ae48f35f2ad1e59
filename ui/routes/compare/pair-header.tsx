import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { type CostSummary, readCosts } from '#ui/lib/costs.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
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
      <PairName left={node.left} right={node.right} />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Figure</VisuallyHidden>
            </th>
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

/** The name of the pair; both names where it was renamed. */
function PairName({ left, right }: { readonly left: TreeNode | null; readonly right: TreeNode | null }) {
  const [one, other] = [left?.span, right?.span];
  if (one == null || other == null) return null;
  const names = one.name === other.name ? [other.name] : [one.name, other.name];
  return (
    <h2 className={styles.title} title={names.map(revealHidden).join(' → ')}>
      <KindIcon kind={other.kind} />
      {names.map((name, place) => (
        <span key={place} className={styles.name}>
          {place > 0 && <span className={styles.arrow}>→ </span>}
          <Name>{name === '' ? 'unnamed' : name}</Name>
        </span>
      ))}
    </h2>
  );
}

function SideHead(props: {
  readonly side: 'A' | 'B';
  readonly node: TreeNode | null;
  readonly status: string;
  readonly trace: TraceRef;
}): ReactNode {
  const { side, node, status, trace } = props;
  const { projectId, traceId } = trace;
  const isNotable = status === 'ERROR' || node?.endMs === null;
  return (
    <th scope="col">
      <span className={styles.side}>
        <SideMark side={side} />
        {isNotable && <StatusMark status={node?.endMs === null ? 'OPEN' : status} />}
        <Link
          to="/projects/$projectId/traces/$traceId"
          params={{ projectId, traceId }}
          search={{ view: 'full', selectedSpanNodeId: node?.span?.id }}
          className={styles.out}
          aria-label={`Open in trace ${side}`}
        >
          Open
        </Link>
      </span>
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
