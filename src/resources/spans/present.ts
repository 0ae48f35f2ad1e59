/** Spans as JSON texts for REST clients; made inside the readers' threads. */
import { jsonInteger, jsonObject, type JsonValue, withReadableIntegers } from '#base/json';
import { formatGlobalId } from '#base/global-id';
import { flattenAttributes } from '#domain/attributes';
import { listDerived } from '#domain/derived-attributes';
import type { SpanEvent, SpanLink, SpanStatusCode } from '#domain/span';
import { formatTimestamp, toMicroseconds } from '#domain/timestamp';
import { ATTR_SPAN_KIND } from '#semconv/openinference';
import type { StoredSpan } from '#store/spans/presenter';
import { formatAttributes, formatList } from './present/otlp-attributes.ts';

/** A span with its attributes flat; beside them are the kind, and what was derived. */
export function presentSpan({ row, span }: StoredSpan): string {
  const attributes = jsonObject();
  let givenKind: JsonValue | undefined;
  const { flatAttributes } = span;
  for (const [key, value] of flatAttributes ?? flattenAttributes(span.attributes)) {
    if (key === ATTR_SPAN_KIND) givenKind = withReadableIntegers(value);
    else attributes[key] = withReadableIntegers(value);
  }
  const derived =
    flatAttributes === undefined
      ? Object.entries(listDerived(span)).map(([key, value]) => [key, withReadableIntegers(value)] as const)
      : [];
  return JSON.stringify({
    id: formatGlobalId('Span', row.rowId),
    name: span.name,
    context: { trace_id: span.traceId, span_id: span.spanId },
    // A kind that only the application knows is not lost.
    span_kind: span.kind === 'UNKNOWN' && typeof givenKind === 'string' && givenKind !== '' ? givenKind : span.kind,
    parent_id: span.parentSpanId,
    start_time: formatTimestamp(row.startTimeUs),
    end_time: formatTimestamp(row.endTimeUs),
    status_code: span.statusCode,
    status_message: span.statusMessage,
    attributes,
    events: span.events.map(({ name, timeUnixNano, attributes: eventAttributes }) => ({
      name,
      timestamp: formatTimestamp(toMicroseconds(timeUnixNano)),
      attributes: withReadableIntegers(eventAttributes),
    })),
    // Clients of other servers know no such members, and need not see them where there is nothing to say.
    ...(derived.length > 0 && { derived_attributes: Object.assign(jsonObject(), Object.fromEntries(derived)) }),
    ...(span.tokenRemarks.length > 0 && { token_count_remarks: span.tokenRemarks }),
  });
}

/**
 * A span in OTLP's terms, with snake_case names, hex ids and integer nanoseconds. Counts, flags, links and the trace
 * state are `null` where they say nothing.
 */
export function presentOtlpSpan({ span, original }: StoredSpan): string {
  return formatObject([
    {
      trace_id: span.traceId,
      span_id: span.spanId,
      parent_span_id: span.parentSpanId,
      name: span.name,
      kind: OTEL_KINDS[span.otelKind] ?? 'SPAN_KIND_UNSPECIFIED',
      start_time_unix_nano: jsonInteger(span.startTimeUnixNano),
      end_time_unix_nano: jsonInteger(span.endTimeUnixNano),
    },
    `"attributes":${formatAttributes(span.flatAttributes ?? flattenAttributes(span.attributes))}`,
    `"events":${span.events.length === 0 ? 'null' : formatList(span.events, formatEvent)}`,
    { status: { code: STATUS_NUMBERS[span.statusCode], message: nullIfEmpty(span.statusMessage) } },
    `"links":${span.links.length === 0 ? 'null' : formatList(span.links, formatLink)}`,
    {
      trace_state: nullIfEmpty(span.traceState),
      flags: nullIfZero(original.flags),
      dropped_attributes_count: nullIfZero(original.droppedAttributesCount),
      dropped_events_count: nullIfZero(original.droppedEventsCount),
      dropped_links_count: nullIfZero(original.droppedLinksCount),
    },
  ]);
}

function formatEvent({ name, attributes, timeUnixNano }: SpanEvent): string {
  return formatObject([
    { name },
    `"attributes":${formatAttributes(flattenAttributes(attributes))}`,
    { time_unix_nano: jsonInteger(timeUnixNano), dropped_attributes_count: null },
  ]);
}

function formatLink({ traceId, spanId, traceState, attributes }: SpanLink): string {
  return formatObject([
    { trace_id: traceId, span_id: spanId, trace_state: nullIfEmpty(traceState) },
    `"attributes":${formatAttributes(flattenAttributes(attributes))}`,
  ]);
}

/** JSON text of an object: some of its members as they are, others as text. */
function formatObject(members: readonly (object | string)[]): string {
  const texts = members.map((some) => (typeof some === 'string' ? some : JSON.stringify(some).slice(1, -1)));
  return `{${texts.reduce((before, text) => `${before},${text}`)}}`;
}

const OTEL_KINDS: readonly string[] = [
  'SPAN_KIND_UNSPECIFIED',
  'SPAN_KIND_INTERNAL',
  'SPAN_KIND_SERVER',
  'SPAN_KIND_CLIENT',
  'SPAN_KIND_PRODUCER',
  'SPAN_KIND_CONSUMER',
];

const STATUS_NUMBERS: Readonly<Record<SpanStatusCode, number>> = { UNSET: 0, OK: 1, ERROR: 2 };

function nullIfEmpty(text: string): string | null {
  return text === '' ? null : text;
}

function nullIfZero(count: number): number | null {
  return count === 0 ? null : count;
}
