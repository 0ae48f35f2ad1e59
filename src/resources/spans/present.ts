/** Spans as JSON texts for REST clients; made inside the readers' threads. */
import { jsonInteger, JsonNumber, jsonObject, type JsonValue, withReadableIntegers } from '#base/json';
import { formatGlobalId } from '#base/global-id';
import { flattenAttributes } from '#domain/attributes';
import { listDerived } from '#domain/derived-attributes';
import type { SpanStatusCode } from '#domain/span';
import { formatTimestamp, toMicroseconds } from '#domain/timestamp';
import { ATTR_SPAN_KIND } from '#semconv/openinference';
import type { StoredSpan } from '#store/spans/presenter';

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
  return JSON.stringify({
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    name: span.name,
    kind: OTEL_KINDS[span.otelKind] ?? 'SPAN_KIND_UNSPECIFIED',
    start_time_unix_nano: jsonInteger(span.startTimeUnixNano),
    end_time_unix_nano: jsonInteger(span.endTimeUnixNano),
    attributes: (span.flatAttributes ?? flattenAttributes(span.attributes)).map(toKeyValue),
    events: nullIfEmpty(
      span.events.map((event) => ({
        name: event.name,
        attributes: flattenAttributes(event.attributes).map(toKeyValue),
        time_unix_nano: jsonInteger(event.timeUnixNano),
        dropped_attributes_count: null,
      })),
    ),
    status: { code: STATUS_NUMBERS[span.statusCode], message: span.statusMessage === '' ? null : span.statusMessage },
    links: nullIfEmpty(
      span.links.map((link) => ({
        trace_id: link.traceId,
        span_id: link.spanId,
        trace_state: link.traceState === '' ? null : link.traceState,
        attributes: flattenAttributes(link.attributes).map(toKeyValue),
      })),
    ),
    trace_state: span.traceState === '' ? null : span.traceState,
    flags: nullIfZero(original.flags),
    dropped_attributes_count: nullIfZero(original.droppedAttributesCount),
    dropped_events_count: nullIfZero(original.droppedEventsCount),
    dropped_links_count: nullIfZero(original.droppedLinksCount),
  });
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

const NO_VALUE = {
  array_value: null,
  bool_value: null,
  bytes_value: null,
  double_value: null,
  int_value: null,
  kvlist_value: null,
  string_value: null,
};

function toKeyValue([key, value]: readonly [string, JsonValue]) {
  return { key, value: toAnyValue(value) };
}

/** All names with one of them set; an object has no value here, as its fields are attributes of their own. */
function toAnyValue(value: JsonValue) {
  if (Array.isArray(value)) return { ...NO_VALUE, array_value: { values: toSameTypes(value).map(toScalarValue) } };
  return toScalarValue(value);
}

function toScalarValue(value: JsonValue) {
  if (typeof value === 'string') return { ...NO_VALUE, string_value: value };
  if (typeof value === 'boolean') return { ...NO_VALUE, bool_value: value };
  if (isInteger(value)) return { ...NO_VALUE, int_value: withReadableIntegers(value) };
  if (typeof value === 'number' || value instanceof JsonNumber) return { ...NO_VALUE, double_value: value };
  return NO_VALUE;
}

/** The list itself where its values are of one type (all numbers are), and their texts where they are not. */
function toSameTypes(values: readonly JsonValue[]): readonly JsonValue[] {
  const types = new Set(values.map(typeName));
  if (types.size <= 1 && !types.has('object')) return values;
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

function typeName(value: JsonValue): string {
  return value instanceof JsonNumber ? 'number' : typeof value;
}

function isInteger(value: JsonValue): value is number | JsonNumber {
  return value instanceof JsonNumber ? /^-?\d+$/.test(value.text) : Number.isInteger(value);
}

function nullIfEmpty<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}

function nullIfZero(count: number): number | null {
  return count === 0 ? null : count;
}
