/** OTLP messages for tests, with valid ids and times where a test does not care. */
import type {
  AnyValue,
  InstrumentationScope,
  KeyValue,
  KeyValueList,
  MalformedSpan,
  OtelResource,
  OtlpSpan,
  OtlpSpanEvent,
} from '#otlp/messages';

/** A span message; attributes as an object or, where keys repeat, as they are sent. */
export function otlpSpan({
  attributes,
  ...fields
}: Partial<Omit<OtlpSpan, 'attributes'>> & { readonly attributes?: OtlpAttributes } = {}): OtlpSpan {
  return {
    bytes: Uint8Array.of(1, 2, 3),
    traceId: new Uint8Array(16).fill(0xab),
    spanId: new Uint8Array(8).fill(0xcd),
    traceState: '',
    parentSpanId: new Uint8Array(0),
    flags: 0,
    name: 'step',
    kind: 1,
    startTimeUnixNano: 1_000_000_000n,
    endTimeUnixNano: 2_000_000_000n,
    attributes: keyValues(attributes),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    status: { code: 0, message: '' },
    ...fields,
  };
}

/** A span event at second 1. */
export function otlpEvent(name: string, attributes: OtlpAttributes = {}): OtlpSpanEvent {
  return { timeUnixNano: 1_000_000_000n, name, attributes: keyValues(attributes), droppedAttributesCount: 0 };
}

/** A map value. */
export function otlpMap(values: Readonly<Record<string, AnyValue>>): KeyValueList {
  return { entries: keyValues(values) };
}

/** A resource with these attributes. */
export function otlpResource(attributes: OtlpAttributes = {}): OtelResource {
  return { envelope: new Uint8Array(0), attributes: keyValues(attributes), schemaUrl: '' };
}

/** An instrumentation scope of this name. */
export function otlpScope(name = 'test'): InstrumentationScope {
  return { envelope: new Uint8Array(0), name, version: '', attributes: [], schemaUrl: '' };
}

/** The spans of one resource and scope, as part of a request. */
export function otlpResourceSpans(spans: readonly (OtlpSpan | MalformedSpan)[], resource = otlpResource()) {
  return { resource, scopeSpans: [{ scope: otlpScope(), spans }] };
}

type OtlpAttributes = Readonly<Record<string, AnyValue>> | readonly KeyValue[];

function keyValues(attributes: OtlpAttributes = {}): readonly KeyValue[] {
  if (Array.isArray(attributes)) return attributes as readonly KeyValue[];
  return Object.entries(attributes as Record<string, AnyValue>).map(([key, value]) => ({ key, value }));
}
