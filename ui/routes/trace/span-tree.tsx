import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { hasChildren } from './model/collapse.ts';
import { decideKey, findByPrefix } from './model/keyboard.ts';
import { findRowIndex } from './model/visible-rows.ts';
import type { TraceTree } from './use-trace-tree.ts';
import { TreeRow } from './tree-row.tsx';
import type { TreeNode } from './model/forest.ts';
import { useKeptPlace } from './use-kept-place.ts';
import { useRowHeight } from './use-row-height.ts';
import styles from './span-tree.module.css';

/** Rows kept ready above and below what is seen. */
const OVERSCAN_ROWS = 6;
/** Letters typed within this time belong together. */
const TYPEAHEAD_MS = 700;
/** These do something else on the page, so no name is typed that begins with them. */
const SHORTCUT_KEYS: ReadonlySet<string> = new Set('0efFjknov');

/** The spans of a trace as a tree of which only rows in sight are in the document. */
export function SpanTree(props: {
  readonly tree: TraceTree;
  readonly label: string;
  /** Room for indentation. */
  readonly indentPx: number;
  /** Span ids that the selected span is linked with. */
  readonly linked: ReadonlySet<string>;
  /** What stands behind a row's name; the same function as long as it draws the same. */
  readonly renderCells: (node: TreeNode) => ReactNode;
  /** What stands at the end of a name as far as there is room; the same function as long as it draws the same. */
  readonly renderChips?: ((node: TreeNode) => ReactNode) | undefined;
  /** Above the rows, not scrolled. */
  readonly header?: ReactNode;
  /** Behind the rows, not scrolled. */
  readonly backdrop?: ReactNode;
  /** A row was chosen by pointer or Enter, not passed by on the way. */
  readonly onOpen?: (() => void) | undefined;
}) {
  const { tree, label, indentPx, linked, renderCells, renderChips, header, backdrop, onOpen } = props;
  const { rows, selected } = tree;
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', atMs: 0 });
  const treeId = useId();
  const rowHeight = useRowHeight();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  useKeptPlace(scroller, tree, rowHeight, () => virtualizer.scrollOffset ?? 0);

  const selectedAt = selected === undefined ? -1 : findRowIndex(rows, selected);
  const selectedKey = selected?.key;
  useEffect(() => {
    if (selectedKey !== undefined && selectedAt >= 0) virtualizer.scrollToIndex(selectedAt, { align: 'auto' });
    // Only a new selection is scrolled to: what arrives elsewhere leaves the place alone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selectedKey, tree.collapsed, tree.matches === null]);

  useShortcuts('Spans of the trace', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const action = decideKey(event.key, {
      rows,
      selected,
      collapsed: tree.collapsed,
      canFold: tree.matches === null,
      pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1),
    });
    if (action !== undefined) tree.act(action);
    else if (event.key === 'Enter') onOpen?.();
    else if (!typeAhead(event)) return;
    event.preventDefault();
  }

  function typeAhead(event: KeyboardEvent): boolean {
    const now = event.timeStamp;
    const isGoingOn = now - typed.current.atMs < TYPEAHEAD_MS && typed.current.text !== '';
    if (!/^[\p{L}\p{N}_.:]$/u.test(event.key) || (!isGoingOn && SHORTCUT_KEYS.has(event.key))) return false;
    typed.current = { text: isGoingOn ? typed.current.text + event.key : event.key, atMs: now };
    const found = findByPrefix(rows, selected, typed.current.text);
    if (found !== undefined) tree.select(found);
    return true;
  }

  function onClick(event: MouseEvent): void {
    const node = nodeAt(event);
    if (node === undefined) return;
    if (isOnFold(event)) return tree.toggle(node);
    // The second click of two folds, the first has selected already.
    if (event.detail === 2 && hasChildren(node) && tree.matches === null) return tree.toggle(node);
    tree.select(node);
    onOpen?.();
  }

  function nodeAt({ target }: MouseEvent): TreeNode | undefined {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    return row === null ? undefined : rows[Number(row.dataset.row)];
  }

  const items = virtualizer.getVirtualItems();
  const [slotCount, setSlotCount] = useState(0);
  // One row more or less in sight must not give every row another slot.
  if (items.length > slotCount) setSlotCount(items.length + OVERSCAN_ROWS);
  const isSelectedShown = items.some(({ index }) => index === selectedAt);
  return (
    <div className={styles.frame}>
      {header}
      <div className={styles.stage}>
        {backdrop}
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
              if (node === undefined) return null;
              return (
                <TreeRow
                  // Rows that leave the sight are used for those that come: the browser then has little to do.
                  key={index % slotCount}
                  id={`${treeId}${node.key}`}
                  node={node}
                  place={index}
                  height={rowHeight}
                  indentPx={indentPx}
                  maxDepth={tree.forest.maxDepth}
                  isSelected={node.key === selectedKey}
                  isLinked={linked.has(node.key)}
                  fold={foldOf(tree, node)}
                  isMatch={tree.matches === null ? undefined : findRowIndex(tree.matches, node) >= 0}
                  renderCells={renderCells}
                  renderChips={renderChips}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function isOnFold({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[data-fold]') !== null;
}

function foldOf(tree: TraceTree, node: TreeNode): 'leaf' | 'expanded' | 'collapsed' {
  if (!hasChildren(node)) return 'leaf';
  return tree.collapsed.has(node.key) ? 'collapsed' : 'expanded';
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next span' },
  { keys: 'ArrowLeft ArrowRight', label: 'Collapse or go to the parent, expand or go to the first child' },
  { keys: '*', label: 'Expand all siblings' },
  { keys: 'Enter', label: 'Open the span’s details' },
];
