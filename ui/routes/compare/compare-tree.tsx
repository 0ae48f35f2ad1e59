import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import { hasChildren } from '../trace/model/collapse.ts';
import { indentRoom } from '../trace/model/indent.ts';
import { decideKey } from '../trace/model/keyboard.ts';
import { findRowIndex } from '../trace/model/visible-rows.ts';
import { useRowHeight } from '../trace/use-row-height.ts';
import { CompareRow } from './compare-row.tsx';
import styles from './compare-tree.module.css';
import type { AlignedNode } from './model/align.ts';
import type { CompareTree as Tree } from './use-compare-tree.ts';
import type { TraceComparison } from './use-comparison.ts';

/** Rows kept ready above and below what is seen. */
const OVERSCAN_ROWS = 6;
/** Narrower than this a row has two lines. */
const COLUMNS_PX = 520;
const TALL_ROW_PX = 46;
/** Columns beside the name. */
const COLUMNS_WIDTH_PX = 280;

/** See {@link CompareTree}. */
export interface CompareTreeProps {
  readonly comparison: TraceComparison;
  readonly tree: Tree;
  readonly label: string;
  /** A row was chosen by pointer or Enter, not passed by on the way. */
  readonly onOpen: () => void;
}

/** Both traces as one tree, of which only rows in sight are in the document. */
export function CompareTree({ comparison, tree, label, onOpen }: CompareTreeProps) {
  const { alignment } = comparison;
  const { rows, selected } = tree;
  const { rows: differences, differingBelow } = comparison.comparison;
  const scroller = useRef<HTMLDivElement>(null);
  const treeId = useId();
  const width = useElementWidth(scroller);
  const isTall = width > 0 && width < COLUMNS_PX;
  const plainHeight = useRowHeight();
  const rowHeight = isTall ? TALL_ROW_PX : plainHeight;
  const hasCost = comparison.a.state.forest.costNanoUsd + comparison.b.state.forest.costNanoUsd > 0;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const selectedAt = selected === undefined ? -1 : findRowIndex(rows, selected);
  const selectedKey = selected?.key;
  useEffect(() => {
    if (selectedAt >= 0) virtualizer.scrollToIndex(selectedAt, { align: 'auto' });
    // Only a new selection is scrolled to: what arrives elsewhere leaves the place alone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selectedKey, tree.collapsed, tree.isOnlyDifferences, rowHeight]);

  useShortcuts('Spans of both traces', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const action = decideKey(event.key, {
      rows,
      selected,
      collapsed: tree.collapsed,
      canFold: true,
      pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1),
    });
    if (action !== undefined) tree.act(action);
    else if (event.key === 'Enter') onOpen();
    else return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent): void {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const node = rows[Number(target.closest<HTMLElement>('[data-row]')?.dataset.row)];
    if (node === undefined) return;
    const isFold = target.closest('[data-fold]') !== null;
    // The second click of two folds, the first has selected already.
    if (isFold || (event.detail === 2 && hasChildren(node))) return tree.toggle(node);
    tree.select(node);
    onOpen();
  }

  const items = virtualizer.getVirtualItems();
  const isSelectedShown = items.some(({ index }) => index === selectedAt);
  return (
    <div className={styles.frame}>
      {!isTall && (
        <div className={styles.header} aria-hidden>
          <span>Span</span>
          <span>Changed</span>
          <span className={styles.figure}>Time</span>
          <span className={styles.figure} data-figure="tokens">
            Tokens
          </span>
          {hasCost && <span className={styles.figure}>Cost</span>}
        </div>
      )}
      <div className={styles.stage}>
        <div
          ref={scroller}
          className={styles.scroller}
          role="tree"
          aria-label={label}
          tabIndex={0}
          aria-activedescendant={isSelectedShown ? `${treeId}${selectedKey}` : undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {items.map(({ index }) => {
              const node = rows[index];
              const row = node === undefined ? undefined : differences[node.index];
              if (node === undefined || row === undefined) return null;
              const own = isDifferent(node, row.parts.length) ? 1 : 0;
              return (
                <CompareRow
                  key={node.key}
                  id={`${treeId}${node.key}`}
                  node={node}
                  row={row}
                  place={index}
                  height={rowHeight}
                  indentPx={indentRoom(isTall ? width : width - COLUMNS_WIDTH_PX)}
                  maxDepth={alignment.maxDepth}
                  isSelected={node.key === selectedKey}
                  fold={!hasChildren(node) ? 'leaf' : tree.collapsed.has(node.key) ? 'collapsed' : 'expanded'}
                  hiddenDifferences={Math.max(0, (differingBelow[node.index] ?? 0) - own)}
                  isTall={isTall}
                  hasCost={hasCost}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function isDifferent({ left, right }: AlignedNode, partCount: number): boolean {
  return left === null || right === null || partCount > 0;
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next row' },
  { keys: 'ArrowLeft ArrowRight', label: 'Collapse or go to the parent, expand or go to the first child' },
  { keys: '*', label: 'Expand all siblings' },
  { keys: 'Enter', label: 'Open the pair’s details' },
];
