/**
 * Stores the spans of the requests of one commit. Everything that is read comes first, then pure rules say what changes, then rows are
 * written, many at a time.
 */
import type { Kysely } from 'kysely';
import { changeSessions } from '#derive/session-rollup';
import { changeTrace, type RecountedSpan, type TraceChange, type TraceRollup } from '#derive/trace-rollup';
import { encodeBlock, type EncodedBlock } from '../../blocks/codec.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SqliteValue } from '../../sqlite/connection.ts';
import type { IncomingSpan } from '../incoming.ts';
import { type Arrival, type ArrivalScope, type ArrivingSpan, type SentSpan, sortOut } from './arrival.ts';
import type { BulkInsert } from './bulk-insert.ts';
import { forgetSpans } from './forget-spans.ts';
import { prepareQuery } from './prepared-query.ts';
import { SessionBook } from './session-book.ts';
import { toSpanValues } from './span-values.ts';
import { loadTraces, readTraceRoot, readTraceSession, readTraceTimes, type StoredTrace } from './stored-trace.ts';

/** What a request's spans became, by trace. */
export interface TraceCount {
  readonly projectId: number;
  readonly traceId: string;
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
}

/** What writing needs; the handle is that of the transaction. */
export interface WriteScope extends ArrivalScope {
  readonly bulkInsert: BulkInsert;
}

type Row = Record<string, SqliteValue>;

/** Rows of a request, gathered so that each table is written once. */
interface Rows {
  readonly spans: Row[];
  readonly locations: Row[];
  readonly blocks: Row[];
  readonly queue: Row[];
  readonly replaced: number[];
  readonly recounted: RecountedSpan[];
}

interface TraceWork {
  readonly traceId: string;
  readonly traceRowId: number;
  readonly projectId: number;
  readonly stored: StoredTrace | undefined;
  readonly change: TraceChange;
}

/** Stores the spans of several requests inside the transaction; returns what became of them, request by request. */
export async function writeRequests(
  scope: WriteScope,
  requests: readonly (readonly IncomingSpan[])[],
): Promise<readonly (readonly TraceCount[])[]> {
  const sent = requests.flatMap((spans, request) =>
    spans.map((incoming): SentSpan => ({ incoming, request, fate: 'stored' })),
  );
  const byTrace = Map.groupBy(sent, ({ incoming }) => incoming.digest.traceId);
  const stored = await loadTraces(scope, [...byTrace.keys()]);
  const traces = [...byTrace].map(([traceId, spans]) => ({ traceRowId: stored.get(traceId)?.rowId, spans }));
  const arrivals = await sortOut(scope, traces);
  const rows: Rows = { spans: [], locations: [], blocks: [], queue: [], replaced: [], recounted: [] };
  const work: TraceWork[] = [];
  const counts = requests.map((): TraceCount[] => []);
  for (const [place, [traceId, spans]] of [...byTrace].entries()) {
    const trace = stored.get(traceId);
    const projectId =
      trace?.projectId ?? (await scope.registry.projectId(scope.db, (spans[0] as SentSpan).incoming.projectName));
    count(counts, { projectId, traceId }, spans);
    const arrival = arrivals[place] as Arrival;
    if (arrival.arriving.length === 0) continue;
    const traceRowId = trace?.rowId ?? scope.rowIds.take('traces');
    const change = gather(scope, rows, { traceRowId, projectId }, trace, arrival);
    work.push({ traceId, traceRowId, projectId, stored: trace, change });
  }
  await writeSpanRows(scope, rows);
  await writeTraces(scope, work);
  return counts;
}

/** Adds what became of a trace's spans to the counts of the requests that brought them. */
function count(
  counts: readonly TraceCount[][],
  of: Pick<TraceCount, 'projectId' | 'traceId'>,
  spans: readonly SentSpan[],
): void {
  for (const [request, ofRequest] of Map.groupBy(spans, (span) => span.request)) {
    const fates = { stored: 0, replaced: 0, duplicate: 0 };
    for (const { fate } of ofRequest) fates[fate]++;
    counts[request]?.push({ ...of, ...fates });
  }
}

function gather(
  scope: WriteScope,
  rows: Rows,
  place: { readonly traceRowId: number; readonly projectId: number },
  trace: StoredTrace | undefined,
  { arriving, neighbours }: Arrival,
): TraceChange {
  const replaced = arriving.flatMap(({ replaces }) => replaces ?? []);
  const facts = arriving.map((span) => span.facts);
  const change = changeTrace({ before: trace?.rollup, arriving: facts, replaced, neighbours });
  for (const [index, span] of arriving.entries()) {
    const counted = change.counted[index] as TraceChange['counted'][number];
    const { otelResourceId, instrumentationScopeId } = span;
    const at = { ...place, otelResourceId, instrumentationScopeId };
    rows.spans.push(toSpanValues(span.incoming.digest, span.facts, counted, at));
  }
  for (const span of replaced) rows.replaced.push(span.facts.rowId);
  for (const span of change.recounted) rows.recounted.push(span);
  gatherBlocks(scope, rows, place.traceRowId, arriving);
  return change;
}

/** Blocks come packed; where some of a block's spans are not to be stored, the others are packed anew. */
function gatherBlocks(scope: WriteScope, rows: Rows, traceRowId: number, arriving: readonly ArrivingSpan[]): void {
  const add = (block: EncodedBlock, spans: readonly ArrivingSpan[]) => {
    const id = scope.rowIds.take('blocks');
    const { data, rawBytes: raw_bytes } = block;
    const span_count = spans.length;
    rows.queue.push({ block_id: id, trace_row_id: traceRowId });
    rows.blocks.push({ id, trace_row_id: traceRowId, span_count, live_count: span_count, raw_bytes, data });
    for (const [ordinal, { facts }] of spans.entries()) {
      rows.locations.push({ span_row_id: facts.rowId, block_id: id, ordinal });
    }
  };
  for (const [block, spans] of Map.groupBy(arriving, ({ incoming }) => incoming.block)) {
    const inPlace = spans.toSorted((a, b) => a.incoming.ordinal - b.incoming.ordinal);
    add(spans.length === block.spanCount ? block : encodeBlock(inPlace.map(({ incoming }) => incoming.bytes)), inPlace);
  }
}

async function writeSpanRows({ db, dialect, bulkInsert }: WriteScope, rows: Rows): Promise<void> {
  if (rows.replaced.length > 0) await forgetSpans(db, dialect, rows.replaced);
  await bulkInsert('spans', rows.spans);
  await bulkInsert('blocks', rows.blocks);
  await bulkInsert('compaction_queue', rows.queue);
  await bulkInsert('span_locations', rows.locations);
  for (const { facts, counted } of rows.recounted) {
    await db
      .updateTable('spans')
      .set({
        counted_prompt_tokens: counted.promptTokens,
        counted_completion_tokens: counted.completionTokens,
        counted_cost_nanousd: counted.costNanoUsd,
      })
      .where('id', '=', facts.rowId)
      .execute();
  }
}

async function writeTraces(scope: WriteScope, work: readonly TraceWork[]): Promise<void> {
  const sessions = new SessionBook(scope);
  const inserts: Row[] = [];
  for (const { projectId, stored } of work) {
    const session = stored?.rollup.session;
    if (session != null && stored?.sessionRowId != null)
      sessions.know(projectId, session.sessionId, stored.sessionRowId);
  }
  for (const { traceId, traceRowId, projectId, stored, change } of work) {
    const after = await settle(scope.db, traceRowId, change);
    for (const [sessionId, delta] of changeSessions(stored?.rollup, after))
      await sessions.add(projectId, sessionId, delta);
    const sessionRowId = after.session === null ? null : await sessions.rowId(projectId, after.session.sessionId);
    const values = toTraceValues(after, sessionRowId);
    if (stored === undefined) inserts.push({ id: traceRowId, trace_id: traceId, project_id: projectId, ...values });
    else await updateTrace(scope, { id: traceRowId, ...values });
  }
  await scope.bulkInsert('traces', inserts);
  await sessions.flush();
}

const updateTrace = prepareQuery(({ db }, row: TraceValues & { readonly id: number }) =>
  db
    .updateTable('traces')
    .set({
      session_row_id: row.session_row_id,
      session_span_row_id: row.session_span_row_id,
      session_start_us: row.session_start_us,
      root_span_row_id: row.root_span_row_id,
      start_us: row.start_us,
      end_us: row.end_us,
      span_count: row.span_count,
      error_count: row.error_count,
      prompt_tokens: row.prompt_tokens,
      completion_tokens: row.completion_tokens,
      cost_nanousd: row.cost_nanousd,
    })
    .where('id', '=', row.id),
);

/** The change with its stale parts read again; the spans are written by now. */
async function settle(db: Kysely<Tables>, traceRowId: number, { after, stale }: TraceChange): Promise<TraceRollup> {
  let settled = after;
  if (stale.times) {
    const { startUs, endUs } = await readTraceTimes(db, traceRowId);
    settled = { ...settled, startUs, endUs };
  }
  if (stale.root) settled = { ...settled, root: await readTraceRoot(db, traceRowId) };
  if (stale.session) settled = { ...settled, session: await readTraceSession(db, traceRowId) };
  return settled;
}

type TraceValues = ReturnType<typeof toTraceValues>;

function toTraceValues(rollup: TraceRollup, sessionRowId: number | null) {
  return {
    session_row_id: sessionRowId,
    session_span_row_id: rollup.session?.rowId ?? null,
    session_start_us: rollup.session?.startUs ?? null,
    root_span_row_id: rollup.root?.rowId ?? null,
    start_us: rollup.startUs,
    end_us: rollup.endUs,
    span_count: rollup.spanCount,
    error_count: rollup.errorCount,
    prompt_tokens: rollup.usage.promptTokens,
    completion_tokens: rollup.usage.completionTokens,
    cost_nanousd: rollup.usage.costNanoUsd,
  };
}
