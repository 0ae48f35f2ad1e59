import { type RefObject, useLayoutEffect, useRef } from 'react';
import { findRowIndex } from './model/visible-rows.ts';
import type { TraceTree } from './use-trace-tree.ts';

/**
 * When spans arrive above the rows in sight, these stay where they are.
 * @param readOffset how far is scrolled, as it was last told: to ask the page for it would make it lay out once more
 */
export function useKeptPlace(
  scroller: RefObject<HTMLElement | null>,
  tree: TraceTree,
  rowHeight: number,
  readOffset: () => number,
): void {
  const { forest, rows } = tree;
  const drawn = useRef(rows);

  useLayoutEffect(() => {
    const element = scroller.current;
    const offset = readOffset();
    const first = offset < 1 ? undefined : drawn.current[Math.floor(offset / rowHeight)];
    const node = first === undefined ? undefined : forest.byKey.get(first.key);
    if (element === null || node === undefined) return;
    const at = findRowIndex(rows, node);
    if (at >= 0) element.scrollTop = at * rowHeight + (offset % rowHeight);
    // Rows that come and go because somebody folds or filters move as they do.
  }, [forest]);
  useLayoutEffect(() => {
    drawn.current = rows;
  });
}
