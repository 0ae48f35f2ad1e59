import { ArrowUpDown, ChevronRight, CircleDashed } from 'lucide-react';
import { memo } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import type { TreeNode } from '../trace/model/forest.ts';
import { indentFor } from '../trace/model/indent.ts';
import { Delta } from './delta.tsx';
import type { AlignedNode } from './model/align.ts';
import { describeChanges, describeRow } from './model/describe-changes.ts';
import type { RowDifference } from './model/differences.ts';
import { SideMark } from './side-mark.tsx';
import styles from './compare-row.module.css';

/** See {@link CompareRow}. */
export interface CompareRowProps {
  readonly id: string;
  readonly node: AlignedNode;
  readonly row: RowDifference;
  /** Place among the rows. */
  readonly place: number;
  readonly height: number;
  readonly indentPx: number;
  readonly maxDepth: number;
  readonly isSelected: boolean;
  readonly fold: 'leaf' | 'expanded' | 'collapsed';
  /** Rows that differ among those folded below it. */
  readonly hiddenDifferences: number;
  /** Two lines, where there is no room for columns. */
  readonly isTall: boolean;
  readonly hasCost: boolean;
}

/** A pair of spans, or a span that only one trace has, and what changed. `data-row` is the place among the rows. */
export const CompareRow = memo(function CompareRow(props: CompareRowProps) {
  const { node, row, fold, place, height, isTall } = props;
  const side = node.right === null ? 'A' : node.left === null ? 'B' : undefined;
  const isChanged = side !== undefined || row.parts.length > 0;
  return (
    <div
      id={props.id}
      className={styles.row}
      style={{ transform: `translateY(${place * height}px)`, height }}
      role="treeitem"
      aria-level={node.depth + 1}
      aria-setsize={node.siblingCount}
      aria-posinset={node.position}
      aria-selected={props.isSelected}
      aria-expanded={fold === 'leaf' ? undefined : fold === 'expanded'}
      data-row={place}
      data-side={side}
      data-changed={isChanged || undefined}
      data-tall={isTall || undefined}
    >
      <RowName {...props} side={side} />
      <span className={styles.words} title={describeRow(node, row)}>
        <RowWords {...props} side={side} />
      </span>
      <span className={styles.figure}>
        <Delta kind="time" figures={row.time} isLarge={row.parts.includes('time')} />
      </span>
      <span className={styles.figure} data-figure="tokens">
        <Delta kind="tokens" figures={row.tokens} isLarge={row.parts.includes('tokens')} />
      </span>
      {props.hasCost && (
        <span className={styles.figure} data-figure="cost">
          <Delta kind="cost" figures={row.cost} isLarge={row.parts.includes('cost')} />
        </span>
      )}
    </div>
  );
});

type Side = 'A' | 'B' | undefined;

function RowName(props: CompareRowProps & { readonly side: Side }) {
  const { node, fold, side } = props;
  const { left, right } = node;
  const shown = right ?? left;
  const hasFailed = [left, right].some((each) => each?.span?.status === 'ERROR');
  return (
    <span className={styles.name}>
      <span className={styles.indent} style={{ width: indentFor(node.depth, props.maxDepth, props.indentPx) }} />
      <span className={styles.fold} data-fold={fold === 'leaf' ? undefined : fold}>
        {fold !== 'leaf' && <ChevronRight size={14} aria-hidden />}
      </span>
      {side !== undefined && <SideMark side={side} />}
      {shown?.span == null ? (
        <CircleDashed size={14} className={styles.missing} aria-hidden />
      ) : (
        <KindIcon kind={shown.span.kind} size={14} />
      )}
      <span className={styles.text} title={titleOf(left, right)}>
        <Name>{nameOf(node)}</Name>
      </span>
      {hasFailed && <StatusMark status="ERROR" />}
      {node.isMoved && <ArrowUpDown size={12} className={styles.missing} aria-hidden />}
    </span>
  );
}

function RowWords({ node, row, fold, side, hiddenDifferences }: CompareRowProps & { readonly side: Side }) {
  const below = node.endIndex - node.index - 1;
  const folded = fold === 'collapsed' && hiddenDifferences === 0 ? below : 0;
  if (side !== undefined) {
    return (
      <>
        only in {side}
        {folded > 0 && <span className={styles.faint}>, with {formatExact(folded)} below</span>}
      </>
    );
  }
  const words = describeChanges(row.parts, node);
  return (
    <>
      {words}
      {row.parts.length === 0 && <VisuallyHidden>equal </VisuallyHidden>}
      {fold === 'collapsed' && hiddenDifferences > 0 && (
        <span className={styles.hidden}>
          {words !== '' && ' · '}
          {formatExact(hiddenDifferences)} below
          <VisuallyHidden> {nounOf(hiddenDifferences, 'differences')}</VisuallyHidden>
        </span>
      )}
      {folded > 0 && (
        <span className={styles.faint}>
          {words !== '' && ' · '}
          {formatExact(folded)} equal below
        </span>
      )}
    </>
  );
}

/** How a pair is called: as on the right, where the newer trace stands. */
export function nameOf({ left, right }: AlignedNode): string {
  return nameOfNode(right ?? left);
}

function nameOfNode(node: TreeNode | null): string {
  if (node === null || node.span === null) return 'Parent not received';
  return node.span.name === '' ? 'unnamed' : node.span.name;
}

function titleOf(left: TreeNode | null, right: TreeNode | null): string {
  const names = [...new Set([left, right].flatMap((node) => (node === null ? [] : [nameOfNode(node)])))];
  return names.map(revealHidden).join(' → ');
}
