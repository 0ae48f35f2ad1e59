/**
 * Reads stored spans anew, by today's rules and with the log records that belong to them now, and puts right what follows:
 * their rows, what counts of them and around them, their traces and sessions. Originals stay where they are.
 */
import type { SpanRecord } from '#normalize/dialects/dialect';
import { summarizeSpan } from '#normalize/normalize-span';
import { digestSpan, type SpanDigest } from '../digest.ts';
import type { ArrivingSpan } from './arrival.ts';
import type { EnvelopeCache } from '../rows/envelope-cache.ts';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import { applyArrivals, type TraceArrival, type WriteScope } from './request-writer.ts';
import { rateSpan } from './span-values.ts';
import { readDecodedSpans, readWithRecords } from '../rows/stored-spans.ts';
import {
  type IdsOfTraces,
  KNOWN_COLUMNS,
  type KnownSpan,
  loadSpansById,
  loadTracesByRow,
  toKnownSpan,
} from './stored-trace.ts';

/** What reading spans anew works with; the handle is that of the transaction. */
export interface DeriveScope extends WriteScope {
  readonly envelopes: EnvelopeCache;
  /** Told once for each call where log records could not be read as what a span did. */
  readonly onError: (message: string, cause: unknown) => void;
}

/** A span that was read anew. */
export interface DerivedSpan {
  readonly traceId: string;
  readonly projectId: number;
  readonly facts: KnownSpan['facts'];
  readonly before: KnownSpan;
  readonly digest: SpanDigest;
}

/**
 * Reads the spans of the row ids anew; those that are gone are left out. Inside one transaction; call it with as many as
 * one may hold up others. Returns what it read, changed or not.
 */
export async function deriveAgain(scope: DeriveScope, spanRowIds: readonly number[]): Promise<readonly DerivedSpan[]> {
  const derived: DerivedSpan[] = [];
  let isTold = false;
  const once: DeriveScope = {
    ...scope,
    onError(message, cause) {
      if (!isTold) scope.onError(message, cause);
      isTold = true;
    },
  };
  for (let start = 0; start < spanRowIds.length; start += SPANS_AT_ONCE) {
    const part = await deriveTogether(once, spanRowIds.slice(start, start + SPANS_AT_ONCE));
    for (const span of part) derived.push(span);
  }
  return derived;
}

/** What is held in memory between reading and writing. */
const SPANS_AT_ONCE = 200;

async function deriveTogether(scope: DeriveScope, spanRowIds: readonly number[]): Promise<readonly DerivedSpan[]> {
  if (spanRowIds.length === 0) return [];
  const known = await selectKnown(scope, { rowIds: JSON.stringify(spanRowIds) });
  const rows = known.map((row) => {
    const before = toKnownSpan(row);
    const { otelResourceId, instrumentationScopeId } = before;
    return { rowId: before.facts.rowId, otelResourceId, instrumentationScopeId, before };
  });
  const again: { readonly before: KnownSpan; readonly digest: SpanDigest }[] = [];
  // A span whose original is damaged stays as it was read before.
  const decoded = readDecodedSpans(scope, rows, { onDamaged: () => undefined });
  for await (const { row, original, scope: instrumentationScope, resource, records } of decoded) {
    const startUnixNano = BigInt(row.before.facts.startUs) * 1000n;
    const read = (by: readonly SpanRecord[]) =>
      digestSpan(summarizeSpan(original, instrumentationScope, resource, startUnixNano, by));
    const onError = (cause: unknown) =>
      scope.onError(`the log records of span ${row.before.facts.spanId} could not be applied to it`, cause);
    again.push({ before: row.before, digest: readWithRecords(records, read, onError) });
  }
  const traces = await loadTracesByRow(
    scope,
    again.map(({ before }) => before.traceRowId),
  );
  const around = await loadSpansById(scope, idsAround(again));
  const changing: TraceArrival[] = [];
  const derived: DerivedSpan[] = [];
  for (const [traceId, stored] of traces) {
    const arriving = again
      .filter(({ before }) => before.traceRowId === stored.rowId)
      .map((span) => toArriving(scope, span));
    const { rowId: traceRowId, projectId } = stored;
    const arrival = { arriving, known: around.get(traceRowId) ?? NO_SPANS };
    changing.push({ traceId, traceRowId, projectId, stored, arrival });
    for (const { facts, digest, replaces: before } of arriving)
      derived.push({ traceId, projectId, facts, digest, before });
  }
  await applyArrivals(scope, changing);
  return derived;
}

const selectKnown = prepareQuery(({ db, dialect }: QueryScope, values: { readonly rowIds: string }) =>
  db.selectFrom('spans').select(KNOWN_COLUMNS).where('spans.id', 'in', dialect.numbersOfJson(values.rowIds)),
);

const NO_SPANS: ReadonlyMap<string, KnownSpan> = new Map();

/** The ids of the spans and of their parents, by row id of the trace. */
function idsAround(spans: readonly { readonly before: KnownSpan; readonly digest: SpanDigest }[]): IdsOfTraces {
  const ids = new Map<number, Set<string>>();
  for (const { before, digest } of spans) {
    const ofTrace = ids.get(before.traceRowId) ?? new Set();
    ids.set(before.traceRowId, ofTrace.add(digest.spanId));
    if (digest.parentSpanId !== null) ofTrace.add(digest.parentSpanId);
  }
  return ids;
}

function toArriving(
  { prices }: DeriveScope,
  { before, digest }: { readonly before: KnownSpan; readonly digest: SpanDigest },
): ArrivingSpan & { readonly replaces: KnownSpan } {
  const { otelResourceId, instrumentationScopeId } = before;
  const rated = rateSpan(digest, before.facts.rowId, instrumentationScopeId, prices);
  return { ...rated, incoming: null, otelResourceId, replaces: before };
}
