/** Which spans point at which: links as rows of their own, so that both ends of one can be found. */
import { sql } from 'kysely';
import type { SpanDigest } from '../digest.ts';
import type { LinkedTraces, SpanTableRow } from '../browse-port.ts';
import type { ReadScope } from './read-scope.ts';
import { listSpanRows } from './span-table.ts';

/** The rows of a span's links, their members in the order of the table's columns. */
export function toLinkValues({ links }: SpanDigest, span: { readonly rowId: number; readonly traceRowId: number }) {
  return links.map(({ traceId, spanId }) => ({
    linked_trace_id: traceId,
    linked_span_id: spanId,
    span_row_id: span.rowId,
    trace_row_id: span.traceRowId,
  }));
}

/** Spans whose links name each of the spans, a bounded number of each, in order of arrival. Index: span_links' key. */
export async function findLinkingSpans(
  scope: ReadScope,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SpanTableRow[]>> {
  const { rows } = await sql<{ readonly linked: number; readonly linking: number }>`
    SELECT wanted.value AS linked, link.span_row_id AS linking
    FROM ${scope.dialect.numbersOf(spanRowIds)} AS wanted
    JOIN spans ON spans.id = wanted.value JOIN traces ON traces.id = spans.trace_row_id
    JOIN span_links AS link ON link.linked_trace_id = traces.trace_id AND link.linked_span_id = spans.span_id
    WHERE link.span_row_id IN (SELECT span_row_id FROM span_links
      WHERE linked_trace_id = traces.trace_id AND linked_span_id = spans.span_id
      ORDER BY span_row_id LIMIT ${MAX_LINKING_SPANS})
    ORDER BY linking`.execute(scope.db);
  const linking = await listSpanRows(scope, [...new Set(rows.map((row) => row.linking))]);
  const byRowId = new Map(linking.map((row) => [row.rowId, row]));
  const found = new Map<number, SpanTableRow[]>();
  for (const row of rows) {
    const span = byRowId.get(row.linking);
    if (span !== undefined) found.set(row.linked, [...(found.get(row.linked) ?? []), span]);
  }
  return found;
}

/** More than a page shows. */
const MAX_LINKING_SPANS = 100;

/** The other traces at the ends of the links of each trace. Index: links_of_trace, span_links' key. */
export async function findLinkedTraces(
  { db, dialect }: ReadScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, LinkedTraces>> {
  const wanted = dialect.numbersOf(traceRowIds);
  const { rows } = await sql<{ readonly ofTrace: number; readonly to: string; readonly from: string }>`
    SELECT wanted.value AS "ofTrace",
      (SELECT ${dialect.collect(sql.ref('id'))} FROM (SELECT DISTINCT other.id FROM span_links AS link
        JOIN traces AS other ON other.trace_id = link.linked_trace_id
        WHERE link.trace_row_id = wanted.value AND other.id <> wanted.value LIMIT ${MAX_LINKED_TRACES}) AS linked) AS "to",
      (SELECT ${dialect.collect(sql.ref('id'))} FROM (SELECT DISTINCT link.trace_row_id AS id FROM span_links AS link
        WHERE link.linked_trace_id = traces.trace_id AND link.trace_row_id <> wanted.value
        LIMIT ${MAX_LINKED_TRACES}) AS linking) AS "from"
    FROM ${wanted} AS wanted JOIN traces ON traces.id = wanted.value`.execute(db);
  return new Map(
    rows.map((row) => [row.ofTrace, { to: JSON.parse(row.to) as number[], from: JSON.parse(row.from) as number[] }]),
  );
}

/** Of each direction; more than a page shows. */
const MAX_LINKED_TRACES = 20;
