/** What is shown beside rows of traces and sessions, read when it is asked for. */
import { type RawBuilder, sql } from 'kysely';
import { signsOfMember } from '#derive/narrow-codes';
import type { SpanKind } from '#domain/span';
import { ATTR_INPUT_VALUE, ATTR_OUTPUT_VALUE } from '#semconv/openinference';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { SessionSummary } from '../browse-port.ts';
import { fromKindColumn } from '../rows/columns.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/** Spans of each trace by their kind. Index: spans_of_trace. */
export async function countSpansByKind(
  { db, dialect }: ReadScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<SpanKind, number>>> {
  const rows = await db
    .selectFrom('spans')
    .select(['trace_row_id', 'kind', sql<number>`count(*)`.as('count')])
    .where('trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .groupBy(['trace_row_id', 'kind'])
    .execute();
  const byTrace = Map.groupBy(rows, (row) => row.trace_row_id);
  return new Map(
    [...byTrace].map(([rowId, counts]) => [
      rowId,
      new Map(counts.map(({ kind, count }) => [fromKindColumn(kind), count])),
    ]),
  );
}

/** The first user that the spans of each trace name, among its earliest. Index: spans_of_trace. */
export async function findTraceUsers(
  { db, dialect }: ReadScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ readonly rowId: number; readonly userId: string | null }>`
    SELECT wanted.value AS "rowId", ${userOfTrace(sql`wanted.value`)} AS "userId"
    FROM ${dialect.numbersOf(traceRowIds)} AS wanted`.execute(db);
  return new Map(rows.flatMap(({ rowId, userId }) => (userId === null ? [] : [[rowId, userId]])));
}

/** Index: traces_of_session, spans_of_trace, and primary keys for the roots. */
export async function summarizeSessions(
  { db, dialect }: ReadScope,
  sessionRowIds: readonly number[],
): Promise<ReadonlyMap<number, SessionSummary>> {
  const { rows } = await sql<SessionSummary & { readonly rowId: number }>`
    SELECT wanted.value AS "rowId",
      (SELECT count(*) FROM traces WHERE session_row_id = wanted.value AND error_count > 0) AS "errorTraceCount",
      ${firstRoot('id', 'asc', holds(dialect, 'input_preview', ATTR_INPUT_VALUE))} AS "firstInputSpanRowId",
      ${firstRoot('id', 'desc', holds(dialect, 'output_preview', ATTR_OUTPUT_VALUE))} AS "lastOutputSpanRowId",
      coalesce(${firstRoot('user_id', 'asc', sql`root.user_id IS NOT NULL`)}, ${userOfTrace(EARLIEST_TRACE)}) AS "userId"
    FROM ${dialect.numbersOf(sessionRowIds)} AS wanted`.execute(db);
  return new Map(rows.map(({ rowId, ...summary }) => [rowId, summary]));
}

/** In milliseconds. Index: traces_of_session. */
export async function readSessionLatencyQuantiles(
  { db, dialect }: ReadScope,
  sessionRowIds: readonly number[],
  probability: number,
): Promise<ReadonlyMap<number, number>> {
  const quantile = dialect.quantile(sql<number>`end_us - start_us`, probability);
  const { rows } = await sql<{ readonly rowId: number; readonly quantileUs: number }>`
    SELECT session_row_id AS "rowId", ${quantile} AS "quantileUs" FROM traces
    WHERE session_row_id IN ${dialect.numbersOf(sessionRowIds)} GROUP BY session_row_id`.execute(db);
  return new Map(rows.map(({ rowId, quantileUs }) => [rowId, quantileUs / 1000]));
}

/** Spans of a trace that are asked for a user. */
const MAX_SPANS_LOOKED_AT = 1000;

function userOfTrace(traceRowId: RawBuilder<unknown>) {
  return sql`(SELECT user_id FROM (SELECT user_id, start_us, id FROM spans WHERE trace_row_id = ${traceRowId}
    ORDER BY start_us, id LIMIT ${MAX_SPANS_LOOKED_AT}) AS first WHERE user_id IS NOT NULL ORDER BY start_us, id LIMIT 1)`;
}

/** Traces of a session whose roots are asked, from each end. */
const MAX_TRACES_LOOKED_AT = 100;

const EARLIEST_TRACE = sql`(SELECT id FROM traces WHERE session_row_id = wanted.value ORDER BY start_us, id LIMIT 1)`;

/** Of the first root that is such, in the order in which the traces of a session start or against it. */
function firstRoot(column: 'id' | 'user_id', order: 'asc' | 'desc', isSuch: RawBuilder<unknown>) {
  const byStart = sql.raw(`start_us ${order}, id ${order}`);
  return sql`(SELECT root.${sql.ref(column)} FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY ${byStart} LIMIT ${MAX_TRACES_LOOKED_AT}) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE ${isSuch} ORDER BY near.start_us ${sql.raw(order)}, near.id ${sql.raw(order)} LIMIT 1)`;
}

function holds(dialect: SqlDialect, preview: 'input_preview' | 'output_preview', key: string) {
  const column = sql.ref(`root.${preview}`);
  const places = signsOfMember(key).map(
    (sign) => sql`coalesce(${dialect.positionOf(sign, sql.ref<string>('root.attributes'))}, 0) > 0`,
  );
  return sql`(${column} IS NOT NULL OR ${sql.join(places, sql` OR `)})`;
}
