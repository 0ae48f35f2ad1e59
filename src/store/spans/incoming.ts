/**
 * What is stored of a request: everything of it that takes time and needs no storage is done, so that another thread can
 * do it, and what crosses threads is small.
 */
import type { NormalizedRequest, NormalizedSpan, Rejection } from '#normalize/normalized';
import { encodeBlock, type EncodedBlock, partitionIntoBlocks } from '../blocks/codec.ts';
import { digestSpan, type SpanDigest } from './digest.ts';

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

/** One request: each of its spans is in exactly one list. */
export interface IncomingRequest {
  readonly spans: readonly IncomingSpan[];
  readonly rejected: readonly Rejection[];
}

/** Makes a request ready to be stored. */
export function toIncoming({ spans, rejected }: NormalizedRequest): IncomingRequest {
  const incoming: IncomingSpan[] = [];
  for (const ofTrace of Map.groupBy(spans, ({ span }) => span.traceId).values()) {
    for (const run of partitionIntoBlocks(ofTrace)) {
      const block = { ...encodeBlock(run.map(({ bytes }) => bytes)), spanCount: run.length };
      for (const [ordinal, normalized] of run.entries()) incoming.push(toIncomingSpan(normalized, block, ordinal));
    }
  }
  return { spans: incoming, rejected };
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
