/** Which rows of a table are selected, apart from the rows themselves. */

/** See the file. */
export interface Selection {
  /** Whether everything that the list finds is selected, loaded or not, except for `ids`. */
  readonly isAll: boolean;
  /** The selected rows, loaded or not; of everything, the rows that were taken out again. */
  readonly ids: ReadonlySet<string>;
  /** Where a range begins: the row that was pressed last. */
  readonly anchorId: string | undefined;
  /** What was selected before the range from there. */
  readonly base: ReadonlySet<string>;
}

/** How many rows of a page are selected, as its checkbox says it. */
export type PageMark = 'none' | 'some' | 'all';

/** The beginning. */
export const NOTHING_SELECTED: Selection = { isAll: false, ids: new Set(), anchorId: undefined, base: new Set() };

/** Whether a row is selected. */
export function isSelected({ ids, isAll }: Selection, id: string): boolean {
  return isAll !== ids.has(id);
}

/** Whether any row is. */
export function hasSelection({ ids, isAll }: Selection): boolean {
  return isAll || ids.size > 0;
}

/** Selects a row, or takes it out. */
export function toggleRow(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ...selection, ids, anchorId: id, base: ids };
}

/**
 * Selects from the anchor to a row, in place of the range that began there before. Without an anchor among the loaded rows
 * the range begins at `fromId`.
 */
export function selectRange(
  selection: Selection,
  loaded: readonly string[],
  fromId: string | undefined,
  toId: string,
): Selection {
  if (selection.isAll) return selection;
  const to = loaded.indexOf(toId);
  if (to === -1) return selection;
  const kept = selection.anchorId === undefined ? -1 : loaded.indexOf(selection.anchorId);
  const from = kept === -1 ? loaded.indexOf(fromId ?? toId) : kept;
  const start = from === -1 ? to : from;
  const base = kept === -1 ? selection.ids : selection.base;
  const range = loaded.slice(Math.min(start, to), Math.max(start, to) + 1);
  return { ids: new Set([...base, ...range]), isAll: false, anchorId: loaded[start], base };
}

/** Selects all loaded rows, or takes all of them out if all are selected. */
export function togglePage(selection: Selection, loaded: readonly string[]): Selection {
  if (selection.isAll) return NOTHING_SELECTED;
  const ids =
    markOf(selection, loaded) === 'all'
      ? without(selection.ids, new Set(loaded))
      : new Set([...selection.ids, ...loaded]);
  return { ids, isAll: false, anchorId: undefined, base: ids };
}

/** Selects everything that the list finds. */
export function selectAll(): Selection {
  return { ...NOTHING_SELECTED, isAll: true };
}

/** What is left of a selection in another list: of everything nothing, otherwise the rows that it has, too. */
export function keepOnly(selection: Selection, loaded: readonly string[]): Selection {
  if (selection.isAll) return NOTHING_SELECTED;
  const ids = new Set(loaded.filter((id) => selection.ids.has(id)));
  if (ids.size === selection.ids.size) return selection;
  return { ids, isAll: false, anchorId: undefined, base: ids };
}

/** How many of the loaded rows are selected. */
export function markOf(selection: Selection, loaded: readonly string[]): PageMark {
  if (!hasSelection(selection)) return 'none';
  let count = 0;
  for (const id of loaded) if (isSelected(selection, id)) count += 1;
  return count === 0 ? 'none' : count === loaded.length ? 'all' : 'some';
}

function without(ids: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...ids].filter((id) => !others.has(id)));
}
