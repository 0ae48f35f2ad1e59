/**
 * What is stored of a request: everything of it that takes time and needs no storage is done, so that another thread can
 * do it, and what crosses threads is small.
 */
import type { NormalizedLogs } from '#normalize/normalize-logs';
import type { NormalizedRequest, NormalizedSpan, Rejection } from '#normalize/normalized';
import type { Signal } from '#otlp/signal';
import { type IncomingRecord, toIncomingRecords } from './records.ts';
import { encodeBlock, type EncodedBlock, partitionIntoBlocks } from '../blocks/codec.ts';
import { digestSpan, type SpanDigest } from '../spans/digest.ts';

/** One span, ready to be stored. */
export interface IncomingSpan {
  readonly digest: SpanDigest;
  /** The original span message. */
  readonly bytes: Uint8Array;
  /** Envelope of the resource, one object for all spans that share it. */
  readonly resource: Uint8Array;
  /** Envelope of the scope, likewise. */
  readonly scope: Uint8Array;
  readonly projectName: string;
  /** The block that it is packed into, one object for all spans in it. */
  readonly block: IncomingBlock;
  /** Its place in the block. */
  readonly ordinal: number;
}

/** Spans of one trace packed together. */
export interface IncomingBlock extends EncodedBlock {
  readonly spanCount: number;
}

/** The key that a request was sent with. */
export interface IncomingSender {
  readonly keyRowId: number;
  /** The projects that alone it may add to; `null` for all. */
  readonly projectRowIds: readonly number[] | null;
}

/** One request: each of its spans, log records or data points is in exactly one place. */
export interface IncomingRequest {
  readonly signal: Signal;
  readonly spans: readonly IncomingSpan[];
  readonly records: readonly IncomingRecord[];
  readonly rejected: readonly Rejection[];
  /** Counted, and not stored: log records of ordinary logging, data points. */
  readonly droppedCount: number;
  /** Absent where no key was used. */
  readonly sender?: IncomingSender;
}

/** Makes a request of log records ready to be stored. */
export function toIncomingLogs({ records, rejected, droppedCount }: NormalizedLogs): IncomingRequest {
  return { signal: 'logs', spans: [], records: toIncomingRecords(records), rejected, droppedCount };
}

/** Makes ready what is kept of a request of metrics: how many data points it held. */
export function toIncomingMetrics(pointCount: number): IncomingRequest {
  return { signal: 'metrics', spans: [], records: [], rejected: [], droppedCount: pointCount };
}

/** Makes a request of spans ready to be stored. */
export function toIncoming({ spans, rejected }: NormalizedRequest): IncomingRequest {
  const incoming: IncomingSpan[] = [];
  for (const ofTrace of Map.groupBy(spans, ({ span }) => span.traceId).values()) {
    for (const run of partitionIntoBlocks(ofTrace)) {
      const block = { ...encodeBlock(run.map(({ bytes }) => bytes)), spanCount: run.length };
      for (const [ordinal, normalized] of run.entries()) incoming.push(toIncomingSpan(normalized, block, ordinal));
    }
  }
  return { signal: 'traces', spans: incoming, records: [], rejected, droppedCount: 0 };
}

function toIncomingSpan(
  { span, bytes, resource, scope, projectName }: NormalizedSpan,
  block: IncomingBlock,
  ordinal: number,
): IncomingSpan {
  return {
    digest: digestSpan(span),
    bytes,
    resource: resource.envelope,
    scope: scope.envelope,
    projectName,
    block,
    ordinal,
  };
}
