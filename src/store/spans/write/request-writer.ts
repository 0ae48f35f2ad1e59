/**
 * Stores the spans of the requests of one commit. Everything that is read comes first, then pure rules say what changes, then rows are
 * written, many at a time.
 */
import { changeTrace, type CountedSpan, type TraceChange } from '#derive/trace-rollup';
import { NO_USAGE } from '#derive/usage';
import type { Rejection } from '#normalize/normalized';
import { encodeBlock, type EncodedBlock } from '../../blocks/codec.ts';
import type { IncomingSpan } from '../../incoming/request.ts';
import type { HookScope } from '../../records/hooks.ts';
import { type Arrival, type ArrivalScope, type ArrivingSpan, type SentSpan, sortOut } from './arrival.ts';
import { countCalls, type RecountedSpan, type TraceCounts } from './count-calls.ts';
import { toCountedValues } from '../rows/cost-columns.ts';
import { forgetSpans } from './forget-spans.ts';
import type { SameCallScope } from './same-calls.ts';
import { toLinkValues } from '../rows/span-links.ts';
import { type SpanCount, toSpanValues } from './span-values.ts';
import { isLimited, outOfReach, type Reach, reachProject } from './reach.ts';
import { loadTraces, loadTracesByRow, type StoredTrace } from './stored-trace.ts';
import { addUsageTo, type ChangingTrace, type TraceWork, writeTraces } from './write-traces.ts';
import type { BulkInsert, BulkUpdate } from '../../schema/statements.ts';
import type { ColumnValue } from '../../schema/column-value.ts';

/** What a request's spans became, by trace. */
export interface TraceCount {
  readonly projectId: number;
  readonly traceId: string;
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
}

/** What writing needs; the handle is that of the transaction. */
export interface WriteScope extends ArrivalScope, SameCallScope, HookScope {
  readonly bulkInsert: BulkInsert;
  readonly bulkUpdate: BulkUpdate;
}

type Row = Record<string, ColumnValue>;

/** Rows of a request, gathered so that each table is written once. */
interface Rows {
  readonly spans: Row[];
  /** Rows of stored spans that are read anew. */
  readonly updated: Row[];
  readonly links: Row[];
  readonly locations: Row[];
  readonly blocks: Row[];
  readonly queue: Row[];
  readonly replaced: number[];
  readonly recounted: RecountedSpan[];
}

/** A trace for which spans arrive. */
export interface TraceArrival extends ChangingTrace {
  readonly arrival: Arrival;
}

/** What became of the spans of several requests. */
export interface WrittenSpans {
  /** Request by request. */
  readonly counts: readonly (readonly TraceCount[])[];
  /** Those that were stored. */
  readonly arrived: readonly ArrivingSpan[];
  /** Those that their senders may not add, request by request. */
  readonly rejected: readonly (readonly Rejection[])[];
}

/** Stores the spans of several requests inside the transaction. */
export async function writeRequests(
  scope: WriteScope,
  requests: readonly (readonly IncomingSpan[])[],
  reach: Reach = [],
): Promise<WrittenSpans> {
  const sent = requests.flatMap((spans, request) =>
    spans.map((incoming): SentSpan => ({ incoming, request, fate: 'stored' })),
  );
  const byTrace = Map.groupBy(sent, ({ incoming }) => incoming.digest.traceId);
  const stored = await loadTraces(scope, [...byTrace.keys()]);
  const rejected = requests.map((): Rejection[] => []);
  if (isLimited(reach)) await rejectForeign(scope, reach, byTrace, stored, rejected);
  const traces = [...byTrace].map(([traceId, spans]) => ({ traceRowId: stored.get(traceId)?.rowId, spans }));
  const arrivals = await sortOut(scope, traces);
  const changing: TraceArrival[] = [];
  const counts = requests.map((): TraceCount[] => []);
  for (const [place, [traceId, spans]] of [...byTrace].entries()) {
    const trace = stored.get(traceId);
    const projectId =
      trace?.projectId ?? (await scope.registry.projectId(scope.db, (spans[0] as SentSpan).incoming.projectName));
    count(counts, { projectId, traceId }, spans);
    const arrival = arrivals[place] as Arrival;
    if (arrival.arriving.length === 0) continue;
    const traceRowId = trace?.rowId ?? scope.rowIds.take('traces');
    changing.push({ traceId, traceRowId, projectId, stored: trace, arrival });
  }
  await applyArrivals(scope, changing);
  return { counts, arrived: changing.flatMap(({ arrival }) => arrival.arriving), rejected };
}

/** Takes the spans out that their senders may not add. A new trace is in the project of the first span that is left. */
async function rejectForeign(
  scope: WriteScope,
  reach: Reach,
  byTrace: Map<string, SentSpan[]>,
  stored: ReadonlyMap<string, StoredTrace>,
  rejected: readonly Rejection[][],
): Promise<void> {
  for (const [traceId, spans] of byTrace) {
    let projectId = stored.get(traceId)?.projectId;
    const kept: SentSpan[] = [];
    for (const span of spans) {
      const { request, incoming } = span;
      const reached = await reachProject(scope, reach, projectId, { request, projectName: incoming.projectName });
      if (reached === undefined) rejected[request]?.push(outOfReach(`Span ${incoming.digest.spanId}`, traceId));
      else kept.push(span);
      projectId ??= reached;
    }
    if (kept.length === 0) byTrace.delete(traceId);
    else byTrace.set(traceId, kept);
  }
}

/** Writes the spans that arrive in each of the traces, and everything that follows from them. */
export async function applyArrivals(scope: WriteScope, changing: readonly TraceArrival[]): Promise<void> {
  await applyCounts(scope, changing, await countCalls(scope, changing.map(toEdit)));
}

/** The same, where it is known already what counts; also of traces that nothing arrives for. */
export async function applyCounts(
  scope: WriteScope,
  changing: readonly TraceArrival[],
  counted: ReadonlyMap<number, TraceCounts>,
): Promise<void> {
  const rows: Rows = {
    spans: [],
    updated: [],
    links: [],
    locations: [],
    blocks: [],
    queue: [],
    replaced: [],
    recounted: [],
  };
  const work = [
    ...changing.map((trace): TraceWork => ({ ...trace, change: gather(scope, rows, trace, counted) })),
    ...(await recountOthers(scope, rows, changing, counted)),
  ];
  await writeSpanRows(scope, rows);
  await writeTraces(scope, work);
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

function toEdit({ traceRowId, projectId, stored, arrival: { arriving, known, removed = [] } }: TraceArrival) {
  return {
    traceRowId,
    projectId,
    arriving: arriving.map(({ facts }) => facts),
    removed: [...arriving.flatMap(({ replaces }) => replaces ?? []), ...removed],
    known: stored === undefined ? undefined : known,
  };
}

type Counts = ReadonlyMap<number, TraceCounts>;

function gather(scope: WriteScope, rows: Rows, trace: TraceArrival, counts: Counts): TraceChange {
  const { traceRowId, projectId, stored, arrival } = trace;
  const { arriving, known, removed = [] } = arrival;
  const ofTrace = counts.get(traceRowId);
  const counted: CountedSpan[] = [];
  for (const span of arriving) {
    const { digest, incoming, facts, otelResourceId, replaces } = span;
    const count = ofTrace?.arriving.get(facts.spanId) ?? NOTHING_COUNTED;
    counted.push({ facts, counted: count.counted });
    const values = toSpanValues(span, count, { projectId, traceRowId, otelResourceId });
    if (incoming === null) rows.updated.push(withoutPlace(values));
    else {
      rows.spans.push(values);
      for (const link of toLinkValues(digest, { rowId: facts.rowId, traceRowId })) rows.links.push(link);
    }
    if (incoming !== null && replaces !== undefined) rows.replaced.push(facts.rowId);
  }
  const replaced = [...arriving.flatMap(({ replaces }) => replaces ?? []), ...removed];
  for (const { facts } of removed) rows.replaced.push(facts.rowId);
  for (const span of ofTrace?.recounted ?? []) rows.recounted.push(span);
  gatherBlocks(scope, rows, traceRowId, arriving);
  return changeTrace({
    before: stored?.rollup,
    arriving: counted,
    replaced,
    recounted: ofTrace?.difference ?? NO_USAGE,
    neighbours: new Set(known.keys()),
  });
}

/** Of spans that do more than group. */
const NOTHING_COUNTED: SpanCount = { counted: NO_USAGE, callDistance: null };

/** Traces that nothing arrives for, but that describe a call which something that arrives describes, too. */
async function recountOthers(
  scope: WriteScope,
  rows: Rows,
  changing: readonly TraceArrival[],
  counts: Counts,
): Promise<readonly TraceWork[]> {
  const others = new Map(counts);
  for (const { traceRowId } of changing) others.delete(traceRowId);
  const stored = await loadTracesByRow(scope, [...others.keys()]);
  return [...stored].map(([traceId, trace]) => {
    const { recounted, difference } = others.get(trace.rowId) as TraceCounts;
    for (const span of recounted) rows.recounted.push(span);
    return addUsageTo(traceId, trace, difference);
  });
}

/** Blocks come packed; where some of a block's spans are not to be stored, the others are packed anew. */
function gatherBlocks(scope: WriteScope, rows: Rows, traceRowId: number, arriving: readonly ArrivingSpan[]): void {
  const sent = arriving.flatMap(({ incoming, facts }) => (incoming === null ? [] : { incoming, facts }));
  const add = (block: EncodedBlock, spans: typeof sent) => {
    const id = scope.rowIds.take('blocks');
    const { data, rawBytes: raw_bytes } = block;
    const span_count = spans.length;
    rows.queue.push({ block_id: id, trace_row_id: traceRowId });
    const counts = { span_count, live_count: span_count, raw_bytes };
    rows.blocks.push({ id, trace_row_id: traceRowId, ...counts, data, dictionary_id: null });
    for (const [ordinal, { facts }] of spans.entries()) {
      rows.locations.push({ span_row_id: facts.rowId, block_id: id, ordinal });
    }
  };
  for (const [block, spans] of Map.groupBy(sent, ({ incoming }) => incoming.block)) {
    const inPlace = spans.toSorted((a, b) => a.incoming.ordinal - b.incoming.ordinal);
    add(spans.length === block.spanCount ? block : encodeBlock(inPlace.map(({ incoming }) => incoming.bytes)), inPlace);
  }
}

async function writeSpanRows(scope: WriteScope, rows: Rows): Promise<void> {
  const { bulkInsert, bulkUpdate } = scope;
  if (rows.replaced.length > 0) await forgetSpans(scope, rows.replaced);
  await bulkInsert('spans', rows.spans);
  await bulkUpdate('spans', rows.updated);
  await bulkInsert('blocks', rows.blocks);
  await bulkInsert('compaction_queue', rows.queue);
  await bulkInsert('span_links', rows.links);
  await bulkInsert('span_locations', rows.locations);
  await bulkUpdate('spans', rows.recounted.map(toCountValues));
}

/** What a span that is read anew may change: it stays where it is. */
function withoutPlace(values: ReturnType<typeof toSpanValues>): Row {
  return Object.fromEntries(Object.entries(values).filter(([column]) => !OF_PLACE.has(column)));
}

const OF_PLACE = new Set(['project_id', 'trace_row_id', 'span_id', 'otel_resource_id', 'instrumentation_scope_id']);

function toCountValues({ rowId, counted, callDistance }: RecountedSpan): Row {
  return { id: rowId, call_distance: callDistance, ...toCountedValues(counted) };
}
