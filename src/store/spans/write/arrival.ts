/** The spans of each trace that arrive together, sorted out: which are new, which replace a stored one, which are stored already. */
import type { PriceTable } from '#derive/cost/price-table';
import type { IncomingSpan } from '../../incoming/request.ts';
import { readOriginalsInParts } from '../rows/originals.ts';
import type { QueryScope } from '../../queries/prepared-query.ts';
import type { Registry } from './registry.ts';
import type { RowIds } from './row-ids.ts';
import { type RatedSpan, rateSpan } from './span-values.ts';
import { type IdsOfTraces, type KnownSpan, loadSpansById, type SpansOfTraces } from './stored-trace.ts';

/** What becomes of a span. */
export type Fate = 'stored' | 'replaced' | 'duplicate';

/** A span as a request brings it. */
export interface SentSpan {
  readonly incoming: IncomingSpan;
  /** Which of the requests that are stored together brings it. */
  readonly request: number;
  /** Settled while spans are sorted out. */
  fate: Fate;
}

/** The spans that requests bring for one trace, in the order sent. */
export interface SentTrace {
  /** `undefined` for a trace that is not stored. */
  readonly traceRowId: number | undefined;
  readonly spans: readonly SentSpan[];
}

/** A span to be written. */
export interface ArrivingSpan extends RatedSpan {
  /** What was sent; `null` for a stored span that is only read anew, whose original stays where it is. */
  readonly incoming: IncomingSpan | null;
  readonly otelResourceId: number;
  /** The stored span that it replaces, whose row id it keeps. */
  readonly replaces: KnownSpan | undefined;
}

/** What is to be written for one trace. */
export interface Arrival {
  readonly arriving: readonly ArrivingSpan[];
  /** What is stored under the ids of the spans that were sent and of their parents. */
  readonly known: ReadonlyMap<string, KnownSpan>;
  /** Stored spans that are deleted; others of the trace stay. */
  readonly removed?: readonly KnownSpan[];
}

/** What sorting out reads and numbers rows with. */
export interface ArrivalScope extends QueryScope {
  readonly registry: Registry;
  readonly rowIds: RowIds;
  readonly prices: PriceTable;
}

interface LatestSpan {
  readonly incoming: IncomingSpan;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
  /** The first that was sent under this id, whose fate depends on what is stored. */
  readonly first: SentSpan;
}

type LatestSpans = ReadonlyMap<string, LatestSpan>;

/** Sorts out the spans of several traces, each of which is there once; one arrival for each, in their order. */
export async function sortOut(scope: ArrivalScope, traces: readonly SentTrace[]): Promise<readonly Arrival[]> {
  const latest: LatestSpans[] = [];
  for (const { spans } of traces) latest.push(await keepLatest(scope, spans));
  const known = await loadSpansById(scope, wantedIds(traces, latest));
  const sent = new Map<number, Uint8Array>();
  for (const [place, { traceRowId }] of traces.entries()) {
    for (const span of spansOf(known, traceRowId).values()) {
      const again = latest[place]?.get(span.facts.spanId);
      if (again !== undefined) sent.set(span.facts.rowId, again.incoming.bytes);
    }
  }
  const stored = await findStored(scope, sent);
  return traces.map(({ traceRowId }, place) => {
    const ofTrace = spansOf(known, traceRowId);
    return { arriving: compare(scope, latest[place] as LatestSpans, ofTrace, stored), known: ofTrace };
  });
}

/** The row ids of those whose originals are what was sent. What is sent again replaces an original that is damaged. */
async function findStored(
  { db, dialect }: ArrivalScope,
  sent: ReadonlyMap<number, Uint8Array>,
): Promise<ReadonlySet<number>> {
  const same = new Set<number>();
  for await (const [rowId, bytes] of readOriginalsInParts(db, dialect, [...sent.keys()], {
    onDamaged: () => undefined,
  })) {
    if (Buffer.compare(bytes, sent.get(rowId) as Uint8Array) === 0) same.add(rowId);
  }
  return same;
}

/** Of spans with the same id the last; of several that are the same, the first. */
async function keepLatest({ registry, db }: ArrivalScope, spans: readonly SentSpan[]): Promise<LatestSpans> {
  const latest = new Map<string, LatestSpan>();
  for (const sent of spans) {
    const { incoming } = sent;
    const { spanId } = incoming.digest;
    const earlier = latest.get(spanId);
    const span = {
      incoming,
      otelResourceId: await registry.envelopeId(db, 'otel_resources', incoming.resource),
      instrumentationScopeId: await registry.envelopeId(db, 'instrumentation_scopes', incoming.scope),
      first: earlier?.first ?? sent,
    };
    if (earlier === undefined) latest.set(spanId, span);
    else if (hasSameSource(span, earlier) && Buffer.compare(incoming.bytes, earlier.incoming.bytes) === 0)
      sent.fate = 'duplicate';
    else {
      sent.fate = 'replaced';
      latest.set(spanId, span);
    }
  }
  return latest;
}

/** The ids of spans that may be stored, and of their parents, by row id of the trace. */
function wantedIds(traces: readonly SentTrace[], latest: readonly LatestSpans[]): IdsOfTraces {
  const wanted = new Map<number, Set<string>>();
  for (const [place, { traceRowId }] of traces.entries()) {
    if (traceRowId === undefined) continue;
    const ids = new Set<string>();
    for (const { incoming } of (latest[place] as LatestSpans).values()) {
      const { spanId, parentSpanId } = incoming.digest;
      ids.add(spanId);
      if (parentSpanId !== null) ids.add(parentSpanId);
    }
    wanted.set(traceRowId, ids);
  }
  return wanted;
}

function spansOf(known: SpansOfTraces, traceRowId: number | undefined): ReadonlyMap<string, KnownSpan> {
  return (traceRowId === undefined ? undefined : known.get(traceRowId)) ?? NO_SPANS;
}

const NO_SPANS: ReadonlyMap<string, KnownSpan> = new Map();

function compare(
  { rowIds, prices }: ArrivalScope,
  latest: LatestSpans,
  known: ReadonlyMap<string, KnownSpan>,
  sameAsStored: ReadonlySet<number>,
): readonly ArrivingSpan[] {
  const arriving: ArrivingSpan[] = [];
  for (const [spanId, span] of latest) {
    const stored = known.get(spanId);
    if (stored !== undefined) {
      const isStored = hasSameSource(span, stored) && sameAsStored.has(stored.facts.rowId);
      span.first.fate = isStored ? 'duplicate' : 'replaced';
      if (isStored) continue;
    }
    const { incoming, otelResourceId, instrumentationScopeId } = span;
    const rowId = stored?.facts.rowId ?? rowIds.take('spans');
    const rated = rateSpan(incoming.digest, rowId, instrumentationScopeId, prices);
    arriving.push({ ...rated, incoming, otelResourceId, replaces: stored });
  }
  return arriving;
}

/** Whether both come from the same producer; what they say is compared beside that. */
function hasSameSource(
  span: LatestSpan,
  other: { readonly otelResourceId: number; readonly instrumentationScopeId: number },
): boolean {
  return span.otelResourceId === other.otelResourceId && span.instrumentationScopeId === other.instrumentationScopeId;
}
