import { useLayoutEffect, useState } from 'react';
import { useRowHeight } from './use-row-height.ts';

/**
 * The height in pixels at which a pane shows so many rows of the tree in it, with all that stands above them. Undefined
 * without a tree.
 */
export function useRowsExtent(pane: HTMLElement | null, rowCount: number): number | undefined {
  const rowHeight = useRowHeight();
  const [headPx, setHeadPx] = useState<number>();
  const hasRows = rowCount > 0;
  useLayoutEffect(() => {
    const tree = pane?.querySelector<HTMLElement>('[role="tree"]') ?? null;
    const measure = () => setHeadPx(pane === null || tree === null ? undefined : pane.offsetHeight - tree.offsetHeight);
    measure();
    if (pane === null || tree === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(pane);
    // What stands above it may take another line without the pane changing.
    observer.observe(tree);
    return () => observer.disconnect();
  }, [pane, hasRows]);
  // One more: heights in percent are rounded, and a row cut by a pixel would scroll.
  return headPx === undefined || !hasRows ? undefined : headPx + rowCount * rowHeight + 1;
}
