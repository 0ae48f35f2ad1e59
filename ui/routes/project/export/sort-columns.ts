/** Columns that tables are sorted by, as the schema calls them. */
import type { ProjectSessionColumn } from '#ui/__generated__/sessionsTableQuery.graphql.ts';
import type { SpanColumn } from '#ui/__generated__/spansTableQuery.graphql.ts';
import type { TraceColumn } from '#ui/__generated__/tracesTableQuery.graphql.ts';
import type { FilterGrain } from '#filter/tree';

const SPAN: Readonly<Record<string, SpanColumn>> = {
  start: 'startTime',
  latency: 'latencyMs',
  tokens: 'tokenCountTotal',
  cost: 'tokenCostTotal',
};
const TRACE: Readonly<Record<string, TraceColumn>> = {
  start: 'startTime',
  latency: 'latencyMs',
  tokens: 'tokenCountTotal',
  cost: 'costTotal',
};
const SESSION: Readonly<Record<string, ProjectSessionColumn>> = {
  start: 'startTime',
  end: 'endTime',
  tokens: 'tokenCountTotal',
  cost: 'costTotal',
  traces: 'numTraces',
};

/** The schema's name of a column of spans; the start where they are not sorted by it. */
export function spanSortColumn(column: string): SpanColumn {
  return SPAN[column] ?? 'startTime';
}

/** The schema's name of a column of traces; the start where they are not sorted by it. */
export function traceSortColumn(column: string): TraceColumn {
  return TRACE[column] ?? 'startTime';
}

/** The schema's name of a column of sessions; the start where they are not sorted by it. */
export function sessionSortColumn(column: string): ProjectSessionColumn {
  return SESSION[column] ?? 'startTime';
}

/** Any of these. */
export function sortColumn(grain: FilterGrain, column: string): string {
  return { span: spanSortColumn, trace: traceSortColumn, session: sessionSortColumn }[grain](column);
}
