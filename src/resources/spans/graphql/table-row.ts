/** Spans in tables: their orders, and the numbers of a row. */
import type { SpanTableRow, SpanTableSort } from '#store/spans/browse-port';
import type { Orders } from '#api/graphql/keyset';

/** Milliseconds; `null` while the span is open. */
export function latencyMs(row: SpanTableRow): number | null {
  return row.isOpen ? null : (row.endTimeUs - row.startTimeUs) / 1000;
}

/** Of prompt and completion; `null` where it claims neither. */
export function totalTokenCount({ promptTokenCount, completionTokenCount }: SpanTableRow): number | null {
  if (promptTokenCount === null && completionTokenCount === null) return null;
  return (promptTokenCount ?? 0) + (completionTokenCount ?? 0);
}

const SAID_BY_PAGE = () => null;

/** The orders of tables of spans. */
export const SPAN_ORDERS: Orders<SpanTableSort, SpanTableRow> = {
  id: { type: null, valueOf: () => null },
  start_time: { type: 'DATETIME', valueOf: (row) => row.startTimeUs },
  end_time: { type: 'DATETIME', valueOf: (row) => (row.isOpen ? null : row.endTimeUs) },
  latency: { type: 'FLOAT', valueOf: (row) => (row.isOpen ? null : row.endTimeUs - row.startTimeUs) },
  total_tokens: { type: 'INT', valueOf: totalTokenCount },
  prompt_tokens: { type: 'INT', valueOf: (row) => row.promptTokenCount },
  completion_tokens: { type: 'INT', valueOf: (row) => row.completionTokenCount },
  cost: { type: 'INT', valueOf: (row) => row.cost.totalNanoUsd },
  cumulative_total_tokens: { type: 'INT', valueOf: SAID_BY_PAGE },
  cumulative_prompt_tokens: { type: 'INT', valueOf: SAID_BY_PAGE },
  cumulative_completion_tokens: { type: 'INT', valueOf: SAID_BY_PAGE },
  cumulative_cost: { type: 'INT', valueOf: SAID_BY_PAGE },
};

/** A claimed number as far as GraphQL's `Int` goes; a larger one is no count of anything, and reads as none. */
export function toGraphqlInt(count: number | null): number | null {
  return count !== null && Math.abs(count) <= 0x7fffffff ? count : null;
}
