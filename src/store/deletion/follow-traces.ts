/** Lets the spans of small traces follow them to another project, those of several traces in one transaction. */
import { CLAIMS } from '#derive/usage';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import { tellMoved } from '../records/hooks.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import { KNOWN_COLUMNS, loadTracesByRow, type StoredTrace, toKnownSpan } from '../spans/write/stored-trace.ts';
import { recountCalls } from './recount-calls.ts';

/**
 * Lets all spans and log records of the first of these traces follow them, of as many as have so many spans together; returns how
 * many traces are whole then. 0 where the first is too large for that.
 */
export async function followTraces(
  scope: WriteScope,
  traceRowIds: readonly number[],
  maxSpans: number,
): Promise<number> {
  const traces = takeSmall([...(await loadTracesByRow(scope, traceRowIds))], maxSpans);
  const projectId = traces[0]?.[1].projectId;
  if (projectId === undefined) return 0;
  const rowIds = JSON.stringify(traces.map(([, { rowId }]) => rowId));
  const traceIds = JSON.stringify(traces.map(([traceId]) => traceId));
  const spanRowIds = (await selectSpans(scope, { rowIds })).map(({ id }) => id);
  const records = [
    ...(await selectAttached(scope, { spanRowIds: JSON.stringify(spanRowIds), projectId })),
    ...(await selectWaiting(scope, { traceIds, projectId })),
  ].map(({ id }) => id);
  if (records.length >= MAX_RECORDS) return 0;
  const calls = (await selectCalls(scope, { rowIds })).map(toKnownSpan);
  await moveSpans(scope, { rowIds, projectId });
  if (records.length > 0) await moveRecords(scope, { rowIds: JSON.stringify(records), projectId });
  await tellMoved(scope, { spanRowIds });
  if (calls.length > 0) {
    await recountCalls(scope, { gone: calls, come: calls.map((call) => ({ call, projectRowId: projectId })) });
  }
  await listAgain(scope, { rowIds });
  return traces.length;
}

/** Log records that one transaction moves. */
const MAX_RECORDS = 2000;

type NamedTrace = readonly [traceId: string, trace: StoredTrace];

/** The first of them, of one project, that have so many spans together. */
function takeSmall(traces: readonly NamedTrace[], maxSpans: number): readonly NamedTrace[] {
  let spanCount = 0;
  const taken: NamedTrace[] = [];
  for (const trace of traces) {
    const [, { projectId, rollup }] = trace;
    spanCount += rollup.spanCount;
    if (spanCount > maxSpans) break;
    if (projectId === (taken[0] ?? trace)[1].projectId) taken.push(trace);
  }
  return taken;
}

interface Rows {
  readonly rowIds: string;
}

interface Move extends Rows {
  readonly projectId: number;
}

/** Index: spans_of_trace. */
const selectSpans = prepareQuery(({ db, dialect }: QueryScope, values: Rows) =>
  db.selectFrom('spans').select('id').where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
);

/** Calls that may be described elsewhere, too. Index: spans_of_trace. */
const selectCalls = prepareQuery(({ db, dialect }: QueryScope, values: Rows) =>
  db
    .selectFrom('spans')
    .select(KNOWN_COLUMNS)
    .where('spans.trace_row_id', 'in', dialect.numbersOfJson(values.rowIds))
    .where(dialect.unindexed<string | null>('spans.response_key'), 'is not', null)
    .where(dialect.unindexed<number | null>('spans.call_distance'), '=', CLAIMS),
);

/** Index: log_records_of_span. */
const selectAttached = prepareQuery(
  ({ db, dialect }: QueryScope, values: { readonly spanRowIds: string; readonly projectId: number }) =>
    db
      .selectFrom('log_records')
      .select('id')
      .where('span_row_id', 'in', dialect.numbersOfJson(values.spanRowIds))
      .where(dialect.unindexed('project_id'), '<>', values.projectId)
      .limit(MAX_RECORDS),
);

/** Log records of the traces that belong to no span. Index: log_records_waiting. */
const selectWaiting = prepareQuery(
  ({ db, dialect }: QueryScope, values: { readonly traceIds: string; readonly projectId: number }) =>
    db
      .selectFrom('log_records')
      .select('id')
      .where('trace_id', 'in', dialect.textsOfJson(values.traceIds))
      .where('span_row_id', 'is', null)
      .where(dialect.unindexed('project_id'), '<>', values.projectId)
      .limit(MAX_RECORDS),
);

const moveSpans = prepareQuery(({ db, dialect }: QueryScope, values: Move) =>
  db
    .updateTable('spans')
    .set({ project_id: values.projectId })
    .where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds))
    .where(dialect.unindexed('project_id'), '<>', values.projectId),
);

const moveRecords = prepareQuery(({ db, dialect }: QueryScope, values: Move) =>
  db
    .updateTable('log_records')
    .set({ project_id: values.projectId })
    .where('id', 'in', dialect.numbersOfJson(values.rowIds)),
);

const listAgain = prepareQuery(({ db, dialect }: QueryScope, values: Rows) =>
  db
    .deleteFrom('unlisted_traces')
    .where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds))
    .where('deletion_id', 'is', null),
);
