/** What tables are sorted by, as the schema calls it. */
import type { ProjectSessionColumn, ProjectSessionSort } from '#ui/__generated__/sessionsTableQuery.graphql.ts';
import type { SpanColumn, SpanSort } from '#ui/__generated__/spansTableQuery.graphql.ts';
import type { TraceColumn, TraceSort } from '#ui/__generated__/tracesTableQuery.graphql.ts';
import type { FilterGrain } from '#filter/tree';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import { annotationOfColumn } from '../annotation-ids.ts';

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

/** The order of spans in which the table asks for them; by their start where it is by no column of theirs. */
export function toSpanSort({ column, direction: dir }: Sort): SpanSort {
  const name = annotationOfColumn(column);
  if (name !== undefined) return { evalResultKey: { name, attr: 'score' }, dir };
  return { col: SPAN[column] ?? 'startTime', dir };
}

/** The same for traces. */
export function toTraceSort({ column, direction: dir }: Sort): TraceSort {
  const name = annotationOfColumn(column);
  if (name !== undefined) return { annoResultKey: { name, attr: 'score' }, dir };
  return { col: TRACE[column] ?? 'startTime', dir };
}

/** The same for sessions. */
export function toSessionSort({ column, direction: dir }: Sort): ProjectSessionSort {
  const name = annotationOfColumn(column);
  if (name !== undefined) return { annoResultKey: { name, attr: 'score' }, dir };
  return { col: SESSION[column] ?? 'startTime', dir };
}

/** Any of these as a literal of GraphQL. */
export function sortLiteral(grain: FilterGrain, { column, direction }: Sort): string {
  const name = annotationOfColumn(column);
  const [columns, key] = LITERALS[grain];
  const by =
    name === undefined
      ? `col: ${columns[column] ?? 'startTime'}`
      : `${key}: { name: ${JSON.stringify(name)}, attr: score }`;
  return `{ ${by}, dir: ${direction} }`;
}

const LITERALS = {
  span: [SPAN, 'evalResultKey'],
  trace: [TRACE, 'annoResultKey'],
  session: [SESSION, 'annoResultKey'],
} as const;
