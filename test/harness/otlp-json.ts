/** Export requests for tests, in OTLP's JSON form: readable, and what the commonest JavaScript exporter sends. */

/** A value of an attribute, as JavaScript writes it; a whole number is an int, `double()` makes it one. */
export type TestValue =
  | string
  | boolean
  | number
  | bigint
  | Double
  | Uint8Array
  | null
  | readonly TestValue[]
  | { readonly [key: string]: TestValue };

/** A number that is sent as a double although it is whole. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** What a test says of a span; the rest is made up. */
export interface TestSpan {
  readonly traceId?: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  /** Microseconds since the Unix epoch. */
  readonly startUs?: number;
  readonly endUs?: number;
  readonly status?: 'UNSET' | 'OK' | 'ERROR';
  readonly statusMessage?: string;
  readonly attributes?: Readonly<Record<string, TestValue>>;
  readonly events?: readonly { readonly name: string; readonly attributes?: Readonly<Record<string, TestValue>> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** 32 hex digits that show the number. */
export function traceId(number: number): string {
  return `a${number.toString(16).padStart(31, '0')}`;
}

/** 16 hex digits that show the number. */
export function spanId(number: number): string {
  return `b${number.toString(16).padStart(15, '0')}`;
}

/** An `ExportTraceServiceRequest` with one resource and one scope. */
export function traceRequest(spans: readonly TestSpan[], resource: Readonly<Record<string, TestValue>> = {}) {
  return requestOf(spans.map(otlpSpan), resource);
}

/** The same around span messages in OTLP JSON, whatever they hold. */
export function requestOf(spans: readonly object[], resource: Readonly<Record<string, TestValue>> = {}) {
  return { resourceSpans: [resourceSpansOf(spans, resource)] };
}

/** One resource of a request, with one scope. */
export function resourceSpansOf(spans: readonly object[], resource: Readonly<Record<string, TestValue>> = {}) {
  return {
    resource: { attributes: keyValues(resource) },
    scopeSpans: [{ scope: { name: 'test', version: '1' }, spans }],
  };
}

/** The same request as the bytes of a body. */
export function traceBody(spans: readonly TestSpan[], resource: Readonly<Record<string, TestValue>> = {}) {
  return new TextEncoder().encode(JSON.stringify(traceRequest(spans, resource)));
}

/** When the tests' spans start unless they say otherwise: 2026-01-01T00:00:00Z, in microseconds. */
export const TEST_START_US = 1_767_225_600_000_000;

/** The span message in OTLP JSON. */
export function otlpSpan(span: TestSpan) {
  const startUs = span.startUs ?? TEST_START_US;
  return {
    traceId: span.traceId ?? traceId(1),
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    name: span.name ?? `span ${span.spanId}`,
    kind: 1,
    startTimeUnixNano: `${startUs}000`,
    endTimeUnixNano: `${span.endUs ?? startUs + 1000}000`,
    attributes: keyValues(span.attributes ?? {}),
    events: (span.events ?? []).map(({ name, attributes }) => ({
      name,
      timeUnixNano: `${startUs}000`,
      attributes: keyValues(attributes ?? {}),
    })),
    links: span.links ?? [],
    status: { code: { UNSET: 0, OK: 1, ERROR: 2 }[span.status ?? 'UNSET'], message: span.statusMessage },
  };
}

/** What a test says of a log record; the rest is left out. */
export interface TestLogRecord {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly eventName?: string;
  /** Microseconds since the Unix epoch; those of the tests' spans unless said otherwise. */
  readonly timeUs?: number;
  readonly body?: TestValue;
  readonly attributes?: Readonly<Record<string, TestValue>>;
}

/** What produced log records. */
export interface TestSource {
  readonly resource?: Readonly<Record<string, TestValue>>;
  /** Name of the instrumentation scope; that of the tests' spans unless said otherwise. */
  readonly scope?: string;
}

/** An `ExportLogsServiceRequest` with one resource and one scope. */
export function logsRequest(records: readonly TestLogRecord[], source: TestSource = {}) {
  return logsRequestOf(records.map(otlpLogRecord), source);
}

/** The same around log record messages in OTLP JSON, whatever they hold. */
export function logsRequestOf(logRecords: readonly object[], { resource = {}, scope = 'test' }: TestSource = {}) {
  const scopeLogs = [{ scope: { name: scope, version: '1' }, logRecords }];
  return { resourceLogs: [{ resource: { attributes: keyValues(resource) }, scopeLogs }] };
}

/** The log record message in OTLP JSON. */
export function otlpLogRecord({ timeUs = TEST_START_US, body, attributes, ...ids }: TestLogRecord) {
  return {
    ...ids,
    timeUnixNano: `${timeUs}000`,
    ...(body !== undefined && { body: anyValue(body) }),
    attributes: keyValues(attributes ?? {}),
  };
}

/** Attributes in OTLP JSON. */
export function keyValues(attributes: Readonly<Record<string, TestValue>>): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: TestValue): unknown {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: value.toString() };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
  if (value instanceof Double) return { doubleValue: value.value };
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { arrayValue: { values: (value as readonly TestValue[]).map(anyValue) } };
  return { kvlistValue: { values: keyValues(value as Readonly<Record<string, TestValue>>) } };
}
