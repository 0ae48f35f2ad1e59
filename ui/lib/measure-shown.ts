import { measureElement, type Virtualizer } from '@tanstack/react-virtual';

/**
 * Measures a row of a list whose rows are as high as their contents, and leaves one that is not shown as high as it was: else the
 * list would lose its place while something else takes its room.
 */
export function measureShown<Item extends Element>(
  element: Item,
  entry: ResizeObserverEntry | undefined,
  list: Virtualizer<HTMLDivElement, Item>,
): number {
  const known = list.measurementsCache[list.indexFromElement(element)]?.size;
  return known !== undefined && !element.checkVisibility() ? known : measureElement(element, entry, list);
}
