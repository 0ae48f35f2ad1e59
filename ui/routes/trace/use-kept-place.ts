import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { findRowIndex } from './model/visible-rows.ts';
import type { TraceTree } from './use-trace-tree.ts';

/** When spans arrive above the rows in sight, these stay where they are. */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>, tree: TraceTree, rowHeight: number): void {
  const { forest, rows } = tree;
  const place = useRef<{ key: string; offset: number } | null>(null);

  useLayoutEffect(() => {
    const element = scroller.current;
    const node = place.current && forest.byKey.get(place.current.key);
    if (element === null || node == null || place.current === null) return;
    const at = findRowIndex(rows, node);
    if (at >= 0) element.scrollTop = at * rowHeight + place.current.offset;
    // Rows that come and go because somebody folds or filters move as they do.
  }, [forest]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const remember = () => {
      const { scrollTop } = element;
      const row = rows[Math.floor(scrollTop / rowHeight)];
      place.current = row === undefined || scrollTop < 1 ? null : { key: row.key, offset: scrollTop % rowHeight };
    };
    remember();
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, [scroller, rows, rowHeight]);
}
