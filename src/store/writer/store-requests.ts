/** Stores requests inside a transaction: their spans, their log records, and what either says about the other. */
import type { Rejection } from '#normalize/normalized';
import { type SettledAnnotations, settleWaiting, takeWaitingFor } from '../annotations/write/waiting.ts';
import { expireRecords } from '../logs/write/expire-records.ts';
import { joinRecords, type JoinScope } from '../logs/write/join-records.ts';
import { type RecordCount, writeRecords } from '../logs/write/write-records.ts';
import type { DerivedSpan } from '../spans/write/derive-again.ts';
import { type CarriedOutcome, type CarrierSpan, storeCarried } from '../annotations/write/carried.ts';
import type { IncomingRequest, IncomingSpan } from '../incoming/request.ts';
import type { ArrivingSpan } from '../spans/write/arrival.ts';
import { type TraceCount, type WriteScope, writeRequests } from '../spans/write/request-writer.ts';
import type { TouchedPlace } from '../spans/write/touched-projects.ts';

/** What a request holds that can be stored. */
export type RequestContent = Pick<IncomingRequest, 'spans' | 'records' | 'sender'>;

/** What storing works with. */
export type StoreScope = WriteScope & JoinScope;

/** What became of one request. */
export interface StoredContent {
  readonly spans: readonly TraceCount[];
  readonly records: readonly RecordCount[];
  /** What its sender may not add. */
  readonly rejected: readonly Rejection[];
}

/** What became of all of them. */
export interface StoredRequests {
  readonly contents: readonly StoredContent[];
  /** Places beside those of the counts at which something is another now. */
  readonly touched: readonly TouchedPlace[];
  /** Annotations that a strict config refuses. */
  readonly refusedAnnotationCount: number;
  /** Annotations that spans carried and that there was no room to let wait. */
  readonly leftOutCount: number;
  /** Log records that were given up, by project. */
  readonly expired: ReadonlyMap<number, number>;
}

/** Stores several requests; returns what became of them, in their order. */
export async function storeRequests(
  scope: StoreScope,
  requests: readonly RequestContent[],
  nowUs: number,
): Promise<StoredRequests> {
  const reach = requests.map(({ sender }) => sender?.projectRowIds ?? null);
  const spans = await writeRequests(
    scope,
    requests.map((request) => request.spans),
    reach,
  );
  const records = await writeRecords(
    scope,
    requests.map((request) => request.records),
    nowUs,
    reach,
  );
  const derived = await joinRecords(scope, spans.arrived, records.added);
  const carriers = carriersAmong(requests, spans.arrived, derived);
  const carried = carriers.length === 0 ? NO_CARRIED : await storeCarried(scope, carriers, nowUs);
  const annotations = [carried, ...(spans.arrived.length === 0 ? [] : [await storeWaiting(scope, spans.arrived)])];
  const annotated = annotations
    .flatMap(({ projectRowIds }) => [...projectRowIds])
    .map((projectId): TouchedPlace => ({ projectId, traceId: null }));
  return {
    contents: requests.map((_request, place) => ({
      spans: spans.counts[place] ?? [],
      records: records.counts[place] ?? [],
      rejected: [...(spans.rejected[place] ?? []), ...(records.rejected[place] ?? [])],
    })),
    touched: [...derived.map(({ projectId, traceId }) => ({ projectId, traceId })), ...annotated],
    refusedAnnotationCount: annotations.reduce((sum, { refusedCount }) => sum + refusedCount, 0),
    leftOutCount: carried.leftOutCount,
    expired: records.added.length === 0 ? new Map() : await expireRecords(scope, nowUs),
  };
}

const NO_CARRIED: CarriedOutcome = { projectRowIds: new Set(), refusedCount: 0, leftOutCount: 0 };

/** The spans that carry annotations, also those that have one by a log record that came with the requests, or before them. */
function carriersAmong(
  requests: readonly RequestContent[],
  arrived: readonly ArrivingSpan[],
  derived: readonly DerivedSpan[],
): readonly CarrierSpan[] {
  const carrying = [...arrived, ...derived].filter(({ digest }) => digest.carried !== null);
  if (carrying.length === 0) return [];
  const reach = new Map<IncomingSpan, readonly number[] | null>();
  for (const { sender, spans } of requests) for (const span of spans) reach.set(span, sender?.projectRowIds ?? null);
  return carrying.map((span) => {
    const { traceId, endUs, carried } = span.digest;
    const incoming = 'incoming' in span ? span.incoming : null;
    return {
      rowId: span.facts.rowId,
      traceId,
      endUs,
      carried: carried ?? [],
      isReadAgain: incoming === null,
      reach: incoming === null ? null : (reach.get(incoming) ?? null),
    };
  });
}

/** Stores the annotations that waited for what has arrived. */
async function storeWaiting(scope: StoreScope, arrived: readonly ArrivingSpan[]): Promise<SettledAnnotations> {
  const digests = arrived.map(({ digest }) => digest);
  const rowIds = await takeWaitingFor(scope, {
    spanIds: [...new Set(digests.map(({ spanId }) => spanId))],
    traceIds: [...new Set(digests.map(({ traceId }) => traceId))],
    sessionIds: [...new Set(digests.flatMap(({ sessionId }) => sessionId ?? []))],
  });
  return settleWaiting(scope, rowIds, null);
}
