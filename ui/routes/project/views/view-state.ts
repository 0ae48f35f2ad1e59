/** The state of a table in the form that a view keeps, and how it differs from the view. */
import type { ViewContent } from '#domain/saved-view';
import { type Density, type Sort, writeSort } from '#ui/components/data-table/table-column.ts';
import { type ColumnLayout, type ColumnSpec, isVisible, readLayout } from '#ui/lib/columns.ts';
import {
  isSameTimeRange,
  readTimeRange,
  type TimeRange,
  type TimeRangeSearch,
  writeTimeRange,
} from '#ui/lib/time-range.ts';
import type { ListSearch } from '../project-search.ts';

/** A table as it is now. */
export interface TableState {
  readonly filter: string | null;
  readonly range: TimeRange;
  readonly sort: Sort;
  readonly group: string | undefined;
  readonly spans: 'roots' | undefined;
  readonly density: Density;
  readonly layout: ColumnLayout;
  /** Attributes that have a column; undefined where the table has no such columns. */
  readonly attributes: readonly string[] | undefined;
}

/** What differs, as people call it. */
export type ViewPart = 'filter' | 'time range' | 'grouping' | 'order' | 'columns' | 'row height';

/** What a view of the table keeps. */
export function toContent({ filter, range, sort, group, spans, density, layout, attributes }: TableState): ViewContent {
  const { order, visibility, sizes } = layout;
  return {
    filter: filter ?? undefined,
    ...writeTimeRange(range),
    sort: writeSort(sort),
    group,
    spans,
    density,
    columns: { order, visibility, sizes },
    attributes,
  };
}

/** What the address of a table says of a view. Keys that it does not use are undefined, so that they overwrite others. */
export function toSearch({
  filter,
  sort,
  group,
  spans,
  ...content
}: ViewContent): ListSearch & Partial<TimeRangeSearch> {
  const range = readTimeRange(content);
  return { filter, sort, group, spans, ...(range !== undefined && writeTimeRange(range)) };
}

/**
 * How the table differs from the view. A view without a filter, a group or a choice of spans has none; whatever else it leaves out may be
 * as it likes.
 */
export function changedParts(
  content: ViewContent,
  state: TableState,
  specs: readonly ColumnSpec[],
): readonly ViewPart[] {
  const range = readTimeRange(content);
  const isSameForm = (content.group === undefined) === (state.group === undefined);
  const differs: Readonly<Record<ViewPart, boolean>> = {
    filter: (content.filter ?? null) !== state.filter || content.spans !== state.spans,
    'time range': range !== undefined && !isSameTimeRange(range, state.range),
    grouping: content.group !== state.group,
    order: content.sort !== undefined && content.sort !== writeSort(state.sort),
    // Rows and groups have other columns.
    columns: isSameForm && haveOtherColumns(content, state, specs),
    'row height': content.density !== undefined && content.density !== state.density,
  };
  return PARTS.filter((part) => differs[part]);
}

const PARTS: readonly ViewPart[] = ['filter', 'time range', 'grouping', 'order', 'columns', 'row height'];

function haveOtherColumns(content: ViewContent, state: TableState, specs: readonly ColumnSpec[]): boolean {
  const { attributes = state.attributes, columns } = content;
  if (state.attributes !== undefined && JSON.stringify(attributes) !== JSON.stringify(state.attributes)) return true;
  return columns !== undefined && describe(readLayout(columns, specs)) !== describe(state.layout);
}

function describe(layout: ColumnLayout): string {
  return JSON.stringify(layout.order.map((id) => [id, isVisible(layout, id), layout.sizes[id]]));
}
