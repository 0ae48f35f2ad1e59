/**
 * OTLP messages of traces and logs as decoded from the wire. Nothing is interpreted here: ids are bytes, times are
 * nanoseconds, and every span and log record keeps the very bytes it came as.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */

/** An attribute's value: an int is a `bigint`, a double is a `number`, `null` is a value that was not set. */
export type AnyValue = string | boolean | bigint | number | Uint8Array | null | readonly AnyValue[] | KeyValueList;

/** A map value, in the order it was sent; keys may repeat. */
export interface KeyValueList {
  readonly entries: readonly KeyValue[];
}

/** Whether the value is a map. */
export function isKeyValueList(value: AnyValue): value is KeyValueList {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** One attribute. */
export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** A span message; fields that were not sent have their protobuf defaults. */
export interface OtlpSpan {
  /** The span message exactly as received, unknown fields included. */
  readonly bytes: Uint8Array;
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly traceState: string;
  readonly parentSpanId: Uint8Array;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly attributes: readonly KeyValue[];
  readonly droppedAttributesCount: number;
  readonly events: readonly OtlpSpanEvent[];
  readonly droppedEventsCount: number;
  readonly links: readonly OtlpSpanLink[];
  readonly droppedLinksCount: number;
  readonly status: { readonly code: number; readonly message: string };
}

/** A timestamped record inside a span. */
export interface OtlpSpanEvent {
  readonly timeUnixNano: bigint;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
  readonly droppedAttributesCount: number;
}

/** A pointer to another span. */
export interface OtlpSpanLink {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly traceState: string;
  readonly attributes: readonly KeyValue[];
  readonly droppedAttributesCount: number;
  readonly flags: number;
}

/** A span message whose inside is not valid protobuf; its neighbours are not affected. */
export interface MalformedSpan {
  readonly bytes: Uint8Array;
  /** What is wrong, for the partial success answer. */
  readonly malformed: string;
}

/** What produced the telemetry. */
export interface OtelResource {
  /**
   * All fields of the `ResourceSpans` or `ResourceLogs` message except its `scope_spans` or `scope_logs`, as received:
   * resource, schema URL, unknown fields.
   */
  readonly envelope: Uint8Array;
  readonly attributes: readonly KeyValue[];
  readonly schemaUrl: string;
}

/** Which library produced the telemetry. */
export interface InstrumentationScope {
  /**
   * All fields of the `ScopeSpans` or `ScopeLogs` message except its `spans` or `log_records`, as received: scope, schema
   * URL, unknown fields.
   */
  readonly envelope: Uint8Array;
  readonly name: string;
  readonly version: string;
  readonly attributes: readonly KeyValue[];
  readonly schemaUrl: string;
}

/** The spans of one resource. */
export interface ResourceSpans {
  readonly resource: OtelResource;
  readonly scopeSpans: readonly ScopeSpans[];
}

/** The spans of one instrumentation scope. */
export interface ScopeSpans {
  readonly scope: InstrumentationScope;
  readonly spans: readonly (OtlpSpan | MalformedSpan)[];
}

/** A decoded `ExportTraceServiceRequest`. */
export interface ExportTraceRequest {
  readonly resourceSpans: readonly ResourceSpans[];
}

/**
 * A log record message; fields that were not sent have their protobuf defaults.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto
 */
export interface OtlpLogRecord {
  /** The log record message exactly as received, unknown fields included. */
  readonly bytes: Uint8Array;
  readonly timeUnixNano: bigint;
  readonly observedTimeUnixNano: bigint;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: AnyValue;
  readonly attributes: readonly KeyValue[];
  readonly droppedAttributesCount: number;
  readonly flags: number;
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly eventName: string;
}

/** A log record message whose inside is not valid protobuf; its neighbours are not affected. */
export interface MalformedLogRecord {
  readonly bytes: Uint8Array;
  /** What is wrong, for the partial success answer. */
  readonly malformed: string;
}

/** The log records of one resource. */
export interface ResourceLogs {
  readonly resource: OtelResource;
  readonly scopeLogs: readonly ScopeLogs[];
}

/** The log records of one instrumentation scope. */
export interface ScopeLogs {
  readonly scope: InstrumentationScope;
  readonly logRecords: readonly (OtlpLogRecord | MalformedLogRecord)[];
}

/** A decoded `ExportLogsServiceRequest`. */
export interface ExportLogsRequest {
  readonly resourceLogs: readonly ResourceLogs[];
}
