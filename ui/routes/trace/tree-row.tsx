import { memo, type ReactNode } from 'react';
import { ChevronRight, CircleDashed, CornerDownRight, Link2, RefreshCw } from 'lucide-react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import type { TreeNode } from './model/forest.ts';
import { INDENT_STEP_PX, indentFor, WHOLE_STEP_LEVELS } from './model/indent.ts';
import styles from './tree-row.module.css';

/** A row whose parts say where they are clicked: `data-row` is the place among the rows, `data-fold` what folds it. */
export const TreeRow = memo(function TreeRow(props: {
  readonly id: string;
  readonly node: TreeNode;
  /** Place among the rows. */
  readonly place: number;
  readonly height: number;
  readonly indentPx: number;
  readonly maxDepth: number;
  readonly isSelected: boolean;
  readonly isLinked: boolean;
  readonly fold: 'leaf' | 'expanded' | 'collapsed';
  /** Undefined without a filter. */
  readonly isMatch: boolean | undefined;
  readonly renderCells: (node: TreeNode) => ReactNode;
  /** Stands behind the name. */
  readonly renderChips?: ((node: TreeNode) => ReactNode) | undefined;
}) {
  const { node, fold, isMatch, place, height } = props;
  const { span } = node;
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
      data-status={span?.status}
      data-aside={isMatch === false || span === null || undefined}
    >
      <span className={styles.name}>
        <Guides depth={node.depth} maxDepth={props.maxDepth} indentPx={props.indentPx} />
        <span className={styles.fold} data-fold={fold === 'leaf' ? undefined : fold}>
          {fold !== 'leaf' && <ChevronRight size={14} aria-hidden />}
        </span>
        {span === null ? (
          <CircleDashed size={14} className={styles.standIn} aria-hidden />
        ) : (
          <KindIcon kind={span.kind} size={14} />
        )}
        <span className={styles.text} data-name title={revealHidden(span?.name ?? node.key)}>
          {span === null ? (
            <StandInName spanId={node.key} />
          ) : span.name === '' ? (
            <em>unnamed</em>
          ) : (
            <Name>{span.name}</Name>
          )}
        </span>
        {span?.status === 'ERROR' && <StatusMark status="ERROR" />}
        {span !== null && span.endMs === null && <StatusMark status="OPEN" />}
        {props.isLinked && <Mark icon={Link2} label="linked to the selected span" />}
        {node.isLoopCut && <Mark icon={RefreshCw} label="its parent descends from it" />}
        <ErrorsBelow node={node} isShown={fold === 'collapsed'} />
        {node.depth > WHOLE_STEP_LEVELS && <span className={styles.depth}>{node.depth}</span>}
        {props.renderChips?.(node)}
      </span>
      {props.renderCells(node)}
    </div>
  );
});

function StandInName({ spanId }: { readonly spanId: string }) {
  return (
    <>
      Parent not received <code>{spanId.slice(0, 8)}</code>
    </>
  );
}

/** A line for each level above; deeper ones, which lie close together, have only the last. */
function Guides(props: { readonly depth: number; readonly maxDepth: number; readonly indentPx: number }) {
  const { depth, maxDepth, indentPx } = props;
  const width = indentFor(depth, maxDepth, indentPx);
  const lined = Math.min(depth, WHOLE_STEP_LEVELS) * INDENT_STEP_PX;
  return (
    <span className={styles.indent} style={{ width }} aria-hidden>
      <span className={styles.guides} style={{ width: lined }} />
      {depth > WHOLE_STEP_LEVELS && <CornerDownRight size={10} className={styles.deep} />}
    </span>
  );
}

function ErrorsBelow({ node, isShown }: { readonly node: TreeNode; readonly isShown: boolean }) {
  const below = node.errorCount - (node.span?.status === 'ERROR' ? 1 : 0);
  if (!isShown || below === 0) return null;
  const label = below === 1 ? '1 error below' : `${below} errors below`;
  return (
    <span className={styles.errorsBelow} title={label}>
      <span aria-hidden>{below}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

function Mark({ icon: Icon, label }: { readonly icon: typeof Link2; readonly label: string }) {
  return (
    <span className={styles.mark} title={label}>
      <Icon size={12} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
