import type { ExportTraceRequest, MalformedSpan, OtelResource, OtlpSpan } from '#otlp/messages';
import { ATTR_PROJECT_NAME } from '#semconv/openinference';
import { summarizeSpan } from './normalize-span.ts';
import type { NormalizeContext, NormalizedRequest, NormalizedSpan, Rejection } from './normalized.ts';
import { findIdFault, SPAN_ID_BYTES, TRACE_ID_BYTES } from './otel-id.ts';
import { storableText } from './text.ts';

/** Reads every span of a request; one that cannot be stored is rejected alone, with a reason for its sender. */
export function normalizeRequest(request: ExportTraceRequest, context: NormalizeContext): NormalizedRequest {
  const spans: NormalizedSpan[] = [];
  const rejected: Rejection[] = [];
  // Whole microseconds, which are what rows keep: so a span without times reads the same from its row.
  const fallbackUnixNano = context.receivedUnixNano - (context.receivedUnixNano % NANOS_PER_MICRO);
  for (const { resource, scopeSpans } of request.resourceSpans) {
    const projectName = chooseProject(resource, context);
    for (const { scope, spans: originals } of scopeSpans) {
      for (const original of originals) {
        const rejection = findRejection(original);
        if (rejection !== undefined) rejected.push(rejection);
        else if (!isMalformed(original)) {
          const span = summarizeSpan(original, scope, resource, fallbackUnixNano);
          spans.push({ span, bytes: original.bytes, resource, scope, projectName });
        }
      }
    }
  }
  return { spans, rejected };
}

const NANOS_PER_MICRO = 1000n;

/** Rows keep microseconds as exact integers. */
export const MAX_TIME_UNIX_NANO = 2n ** 53n * NANOS_PER_MICRO;

/** The project of what a resource produced: by header, by resource attribute, else the default. */
export function chooseProject(resource: OtelResource, { projectOverride, defaultProject }: NormalizeContext): string {
  if (projectOverride !== null && projectOverride.trim() !== '') return projectOverride;
  for (const { key, value } of resource.attributes) {
    if (key === ATTR_PROJECT_NAME && typeof value === 'string' && value.trim() !== '') return storableText(value);
  }
  return defaultProject;
}

function isMalformed(span: OtlpSpan | MalformedSpan): span is MalformedSpan {
  return 'malformed' in span;
}

function findRejection(span: OtlpSpan | MalformedSpan): Rejection | undefined {
  if (isMalformed(span)) return { reason: 'malformed', message: span.malformed };
  const traceIdFault = findIdFault(span.traceId, TRACE_ID_BYTES);
  if (traceIdFault !== undefined) {
    const message = `A span's trace id ${traceIdFault}. Send ${TRACE_ID_BYTES} bytes that are not all zero, in JSON as ${TRACE_ID_BYTES * 2} hex digits; logs and metrics have paths of their own.`;
    return { reason: 'invalid_trace_id', message };
  }
  const spanIdFault = findIdFault(span.spanId, SPAN_ID_BYTES);
  if (spanIdFault !== undefined) {
    const message = `A span's span id ${spanIdFault}. Send ${SPAN_ID_BYTES} bytes that are not all zero, in JSON as ${SPAN_ID_BYTES * 2} hex digits.`;
    return { reason: 'invalid_span_id', message };
  }
  if (span.startTimeUnixNano >= MAX_TIME_UNIX_NANO || span.endTimeUnixNano >= MAX_TIME_UNIX_NANO) {
    const message = `A span's time is after the year 2254. Send nanoseconds since the Unix epoch.`;
    return { reason: 'time_out_of_range', message };
  }
  return undefined;
}
