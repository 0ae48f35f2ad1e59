import type { ReactNode } from 'react';
import { type ColumnLayout, type ColumnSpec, isVisible } from '#ui/lib/columns.ts';

/** A column of a table whose rows are read as `Row`. */
export interface TableColumn<Row> extends ColumnSpec {
  readonly header: string;
  /** Said where the pointer rests on the header. */
  readonly description?: string | undefined;
  readonly align?: 'end' | undefined;
  /** Takes a share of the width that the others leave, until it is given a width of its own. */
  readonly grows?: boolean | undefined;
  /** Pixels that it keeps where the table has too little room, until it is given a width of its own; else its size. */
  readonly shrinksTo?: number | undefined;
  readonly isSortable?: boolean | undefined;
  /** Whether somebody added it, and may take it away again. */
  readonly isAdded?: boolean | undefined;
  readonly render: (row: Row) => ReactNode;
}

/** What the rows are ordered by. */
export interface Sort {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** How much room a row takes. */
export type Density = 'compact' | 'regular' | 'tall';

/** How a row is drawn: in columns, or where there is no room for them over three lines on a phone and over two in a pane. */
export type RowForm = Density | 'card' | 'pair';

/** Heights in pixels. */
export const ROW_HEIGHTS: Readonly<Record<RowForm, number>> = {
  compact: 30,
  regular: 38,
  tall: 58,
  card: 92,
  pair: 60,
};

/** The order after a press on a header: the largest and newest first, then the other way round. */
export function nextSort(sort: Sort, column: string): Sort {
  const isSame = sort.column === column;
  return { column, direction: isSame && sort.direction === 'desc' ? 'asc' : 'desc' };
}

/** The order that an address names as `start:desc`, if it is one of the table's; `initial` otherwise. */
export function readSort(text: string | undefined, columns: readonly string[], initial: Sort): Sort {
  // Names of columns may have colons.
  const [, column = '', direction] = /^(.*):(.*)$/s.exec(text ?? '') ?? [];
  if (!columns.includes(column) || (direction !== 'asc' && direction !== 'desc')) return initial;
  return { column, direction };
}

/** The order as the address carries it. */
export function writeSort(sort: Sort): string {
  return `${sort.column}:${sort.direction}`;
}

/** The columns to show, in the order of the layout. */
export function visibleColumns<Row>(
  columns: readonly TableColumn<Row>[],
  layout: ColumnLayout,
): readonly TableColumn<Row>[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return layout.order.filter((id) => isVisible(layout, id)).flatMap((id) => byId.get(id) ?? []);
}

/** The tracks of a row as CSS. Where no column grows, an empty one at the end takes what is left. */
export function gridTemplate(columns: readonly Tracked[], layout: ColumnLayout): string {
  const growing = columns.filter((column) => isGrowing(column, layout));
  const tracks = columns.map((column) => {
    const least = leastSize(column, layout);
    const size = sizeOf(column, layout);
    if (growing.includes(column)) return `minmax(${least}px, ${size}fr)`;
    return least === size ? `${size}px` : `minmax(${least}px, ${size}px)`;
  });
  return growing.length > 0 ? tracks.join(' ') : [...tracks, 'minmax(0, 1fr)'].join(' ');
}

/** Pixels below which the table scrolls sideways. */
export function minimumWidth(columns: readonly Tracked[], layout: ColumnLayout): number {
  return columns.reduce((sum, column) => sum + leastSize(column, layout), 0);
}

/** The width that a column was given, or begins with. */
export function sizeOf(column: Tracked, layout: ColumnLayout): number {
  return layout.sizes[column.id] ?? column.size;
}

function leastSize(column: Tracked, layout: ColumnLayout): number {
  return layout.sizes[column.id] ?? column.shrinksTo ?? column.size;
}

type Tracked = Pick<TableColumn<never>, 'id' | 'size' | 'grows' | 'shrinksTo'>;

function isGrowing(column: Tracked, layout: ColumnLayout): boolean {
  return column.grows === true && layout.sizes[column.id] === undefined;
}
