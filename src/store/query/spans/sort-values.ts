/** What spans are ordered by. */
import type { NumberColumn, SpanBatch, TextColumn } from '../../columns/batch.ts';
import type { CumulativeSort, SpanTableSort } from '../../spans/browse-port.ts';
import type { Place } from '../place.ts';

/** The column of an order; `null` for that of arrival. */
export type SortColumn =
  | { readonly type: 'number'; readonly column: NumberColumn }
  | { readonly type: 'text'; readonly column: TextColumn }
  | null;

/** The orders of tables that a column of spans tells. */
export type ColumnSort = Exclude<SpanTableSort, CumulativeSort>;

/** Their columns. */
export const SORT_COLUMNS: Readonly<Record<ColumnSort, SortColumn>> = {
  id: null,
  start_time: { type: 'number', column: 'start_us' },
  end_time: { type: 'number', column: 'end_us' },
  latency: { type: 'number', column: 'latency_us' },
  total_tokens: { type: 'number', column: 'total_tokens' },
  prompt_tokens: { type: 'number', column: 'prompt_tokens' },
  completion_tokens: { type: 'number', column: 'completion_tokens' },
  cost: { type: 'number', column: 'claimed_cost_nanousd' },
};

/** Reads the value of each row. */
export function readSortValues(batch: SpanBatch, column: SortColumn): (row: number) => Place['value'] {
  if (column === null) return () => null;
  if (column.type === 'number') {
    const values = batch.numbers(column.column);
    return (row) => {
      const value = values[row];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
  }
  const { codes, values } = batch.texts(column.column);
  return (row) => values[codes[row] ?? 0] ?? null;
}
