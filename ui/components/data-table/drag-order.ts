/** A thing in a row or a column of things that can be dragged: where it begins and how long it is, in pixels. */
export interface Extent {
  readonly id: string;
  readonly start: number;
  readonly size: number;
}

/**
 * The index at which a thing lands that is let go at `position`: things whose middle lies before the position stay
 * before it. The index counts the others alone.
 */
export function dropIndex(extents: readonly Extent[], draggedId: string, position: number): number {
  return extents.filter(({ id, start, size }) => id !== draggedId && start + size / 2 < position).length;
}
