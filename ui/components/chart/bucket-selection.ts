/** Buckets of time as keys choose them. */

/** Places of the first and last bucket that are chosen, in the order in which they were. */
export interface Selection {
  readonly from: number;
  readonly to: number;
}

/** The selection after a key; undefined where the key means nothing. */
export function selectionAfterKey(
  selection: Selection,
  key: string,
  isExtending: boolean,
  count: number,
): Selection | undefined {
  const to = placeAfterKey(selection.to, key, count);
  if (to === undefined) return undefined;
  return { from: isExtending ? selection.from : to, to };
}

function placeAfterKey(place: number, key: string, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, place - 1);
    case 'ArrowRight':
      return Math.min(last, place + 1);
    case 'PageUp':
      return Math.max(0, place - 10);
    case 'PageDown':
      return Math.min(last, place + 10);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
