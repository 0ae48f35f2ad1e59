/** What a person made of a table's columns: which are shown, in which order, how wide. */

/** What a table says of a column before anyone has touched it. Sizes are pixels. */
export interface ColumnSpec {
  readonly id: string;
  readonly size: number;
  readonly minSize?: number | undefined;
  readonly canHide?: boolean | undefined;
  readonly isHiddenAtFirst?: boolean | undefined;
}

/** See the file. A column without an entry is shown, and has its own size. */
export interface ColumnLayout {
  readonly order: readonly string[];
  readonly visibility: Readonly<Record<string, boolean>>;
  readonly sizes: Readonly<Record<string, number>>;
}

/** No column is narrower, unless it says so itself. */
export const MIN_COLUMN_SIZE = 56;
/** No column is wider. */
export const MAX_COLUMN_SIZE = 1200;

/** The layout of a table that nobody has touched. */
export function initialLayout(specs: readonly ColumnSpec[]): ColumnLayout {
  const hidden = specs.filter((spec) => spec.isHiddenAtFirst === true);
  return {
    order: specs.map(({ id }) => id),
    visibility: Object.fromEntries(hidden.map(({ id }) => [id, false])),
    sizes: {},
  };
}

/**
 * The layout that a browser has kept, whatever became of it and of the table since: columns that are gone are left out,
 * new ones stand where the table has them.
 */
export function readLayout(stored: unknown, specs: readonly ColumnSpec[]): ColumnLayout {
  const { order, visibility, sizes } = toRecord(stored);
  const initial = initialLayout(specs);
  const known = Array.isArray(order) ? [...new Set(order)].filter((id) => initial.order.includes(String(id))) : [];
  const merged = known.map(String);
  for (const [index, id] of initial.order.entries()) {
    if (merged.includes(id)) continue;
    const before = merged.indexOf(initial.order[index - 1] ?? '');
    merged.splice(before + 1, 0, id);
  }
  const layout: ColumnLayout = {
    order: merged,
    visibility: { ...initial.visibility, ...pick(toRecord(visibility), specs.filter(mayHide), isBoolean) },
    sizes: pick(toRecord(sizes), specs, Number.isFinite as (value: unknown) => value is number),
  };
  return Object.entries(layout.sizes).reduce((result, [id, size]) => resizeColumn(result, specs, id, size), layout);
}

/** The layout with one column at another place of the order. */
export function moveColumn(layout: ColumnLayout, id: string, toIndex: number): ColumnLayout {
  const others = layout.order.filter((other) => other !== id);
  if (others.length === layout.order.length) return layout;
  const index = Math.min(Math.max(toIndex, 0), others.length);
  return { ...layout, order: others.toSpliced(index, 0, id) };
}

/** The layout with one column one visible place further left (-1) or right (1). */
export function stepColumn(layout: ColumnLayout, id: string, step: -1 | 1): ColumnLayout {
  const visible = layout.order.filter((other) => isVisible(layout, other));
  const neighbour = visible[visible.indexOf(id) + step];
  return neighbour === undefined || !visible.includes(id)
    ? layout
    : moveColumn(layout, id, layout.order.indexOf(neighbour));
}

/** The layout with one column so many pixels wide, within what it allows. */
export function resizeColumn(
  layout: ColumnLayout,
  specs: readonly ColumnSpec[],
  id: string,
  size: number,
): ColumnLayout {
  const spec = specs.find((candidate) => candidate.id === id);
  if (spec === undefined) return layout;
  const bounded = Math.min(Math.max(Math.round(size), spec.minSize ?? MIN_COLUMN_SIZE), MAX_COLUMN_SIZE);
  return { ...layout, sizes: { ...layout.sizes, [id]: bounded } };
}

/** The layout with one column shown or hidden. */
export function setColumnVisible(layout: ColumnLayout, id: string, isShown: boolean): ColumnLayout {
  return { ...layout, visibility: { ...layout.visibility, [id]: isShown } };
}

/** Whether a column is shown. */
export function isVisible(layout: ColumnLayout, id: string): boolean {
  return layout.visibility[id] ?? true;
}

function mayHide(spec: ColumnSpec): boolean {
  return spec.canHide !== false;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function pick<T>(
  record: Readonly<Record<string, unknown>>,
  specs: readonly ColumnSpec[],
  isValid: (value: unknown) => value is T,
): Record<string, T> {
  const entries = specs.map(({ id }) => [id, Object.hasOwn(record, id) ? record[id] : undefined] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, T] => isValid(entry[1])));
}
