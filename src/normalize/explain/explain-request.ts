import type { ExportTraceRequest } from '#otlp/messages';
import type { SpanRecord } from '../dialects/dialect.ts';
import { normalizeRequest } from '../normalize-request.ts';
import type { Rejection } from '../normalized.ts';
import { readSpanId, readTraceId } from '../otel-id.ts';
import { explainSpan } from './explain-span.ts';
import type { SpanReading } from './span-reading.ts';

/** A request, explained: each of its spans is in exactly one list, in the order sent. */
export interface RequestReading {
  readonly spans: readonly SpanReading[];
  /** Spans that would not be stored. */
  readonly rejected: readonly Rejection[];
}

/**
 * Explains every span of a request.
 * @param recordsOf the log records that are known to belong to a span, by its trace and span id
 */
export function explainRequest(
  request: ExportTraceRequest,
  recordsOf: (traceId: string, spanId: string) => readonly SpanRecord[] = () => [],
): RequestReading {
  const context = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
  const { spans: accepted, rejected } = normalizeRequest(request, context);
  const acceptedBytes = new Set(accepted.map(({ bytes }) => bytes));
  const spans: SpanReading[] = [];
  for (const { resource, scopeSpans } of request.resourceSpans) {
    for (const { scope, spans: originals } of scopeSpans) {
      for (const original of originals) {
        if ('malformed' in original || !acceptedBytes.has(original.bytes)) continue;
        const records = recordsOf(readTraceId(original.traceId), readSpanId(original.spanId));
        spans.push(explainSpan(original, scope, resource, records));
      }
    }
  }
  return { spans, rejected };
}
