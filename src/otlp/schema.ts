/**
 * The OTLP messages of traces and logs as tables, for the code that treats every field alike: the JSON transcoder and
 * formatter, and the redaction. Decoding to `messages.ts` is written out by hand instead, because it is the hot path.
 * Left out are the profiling-only fields `key_strindex` and `string_value_strindex`, which other signals treat as absent.
 * @see https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto
 */
export type MessageName =
  | ExportRequestName
  | 'ResourceSpans'
  | 'Resource'
  | 'EntityRef'
  | 'ScopeSpans'
  | 'InstrumentationScope'
  | 'Span'
  | 'Event'
  | 'Link'
  | 'Status'
  | 'ResourceLogs'
  | 'ScopeLogs'
  | 'LogRecord'
  | 'KeyValue'
  | 'AnyValue'
  | 'ArrayValue'
  | 'KeyValueList';

/** A message that an exporter sends. */
export type ExportRequestName = 'ExportTraceServiceRequest' | 'ExportLogsServiceRequest';

/** What a message is called that is given up alone when something in it is wrong; `undefined` for any other. */
export function nameOfItem(message: MessageName): string | undefined {
  if (message === 'Span') return 'span';
  return message === 'LogRecord' ? 'log record' : undefined;
}

/** One field; `id` is bytes that JSON writes in hex, `name` is the lowerCamelCase one of JSON. */
export type FieldSchema = { readonly number: number; readonly name: string; readonly isRepeated: boolean } & (
  | { readonly kind: 'message'; readonly message: MessageName }
  | { readonly kind: 'enum'; readonly values: EnumValues }
  | { readonly kind: ScalarKind }
);

/** A type that is not a message. */
type ScalarKind = 'string' | 'bytes' | 'id' | 'bool' | 'int64' | 'uint32' | 'fixed32' | 'fixed64' | 'double';

/** The numbers of an enum by their names. */
type EnumValues = Readonly<Record<string, number>>;

/** The fields of a message in ascending order of their numbers. */
export function fieldsOf(message: MessageName): readonly FieldSchema[] {
  return MESSAGES[message];
}

/** Finds the field that a tag announces: the number known and the wire type right. */
export function findField(message: MessageName, tag: number): FieldSchema | undefined {
  return FIELDS_BY_TAG[message].get(tag);
}

/** The protobuf wire type of a field's value. */
function wireTypeOf(field: FieldSchema): number {
  switch (field.kind) {
    case 'bool':
    case 'int64':
    case 'uint32':
    case 'enum':
      return 0;
    case 'fixed64':
    case 'double':
      return 1;
    case 'string':
    case 'bytes':
    case 'id':
    case 'message':
      return 2;
    case 'fixed32':
      return 5;
  }
}

function scalar(number: number, name: string, kind: ScalarKind): FieldSchema {
  return { number, name, kind, isRepeated: false };
}

function texts(number: number, name: string): FieldSchema {
  return { number, name, kind: 'string', isRepeated: true };
}

function enumeration(number: number, name: string, values: EnumValues): FieldSchema {
  return { number, name, kind: 'enum', values, isRepeated: false };
}

function one(number: number, name: string, message: MessageName): FieldSchema {
  return { number, name, kind: 'message', message, isRepeated: false };
}

function many(number: number, name: string, message: MessageName): FieldSchema {
  return { number, name, kind: 'message', message, isRepeated: true };
}

const SPAN_KINDS: EnumValues = {
  SPAN_KIND_UNSPECIFIED: 0,
  SPAN_KIND_INTERNAL: 1,
  SPAN_KIND_SERVER: 2,
  SPAN_KIND_CLIENT: 3,
  SPAN_KIND_PRODUCER: 4,
  SPAN_KIND_CONSUMER: 5,
};

const SEVERITY_NUMBERS: EnumValues = Object.fromEntries([
  ['SEVERITY_NUMBER_UNSPECIFIED', 0],
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((severity, place) =>
    ['', '2', '3', '4'].map((step, index) => [`SEVERITY_NUMBER_${severity}${step}`, place * 4 + index + 1]),
  ),
]) as EnumValues;

const STATUS_CODES: EnumValues = { STATUS_CODE_UNSET: 0, STATUS_CODE_OK: 1, STATUS_CODE_ERROR: 2 };

const MESSAGES: Readonly<Record<MessageName, readonly FieldSchema[]>> = {
  ExportTraceServiceRequest: [many(1, 'resourceSpans', 'ResourceSpans')],
  ResourceSpans: [
    one(1, 'resource', 'Resource'),
    many(2, 'scopeSpans', 'ScopeSpans'),
    scalar(3, 'schemaUrl', 'string'),
  ],
  Resource: [
    many(1, 'attributes', 'KeyValue'),
    scalar(2, 'droppedAttributesCount', 'uint32'),
    many(3, 'entityRefs', 'EntityRef'),
  ],
  EntityRef: [
    scalar(1, 'schemaUrl', 'string'),
    scalar(2, 'type', 'string'),
    texts(3, 'idKeys'),
    texts(4, 'descriptionKeys'),
  ],
  ScopeSpans: [one(1, 'scope', 'InstrumentationScope'), many(2, 'spans', 'Span'), scalar(3, 'schemaUrl', 'string')],
  InstrumentationScope: [
    scalar(1, 'name', 'string'),
    scalar(2, 'version', 'string'),
    many(3, 'attributes', 'KeyValue'),
    scalar(4, 'droppedAttributesCount', 'uint32'),
  ],
  Span: [
    scalar(1, 'traceId', 'id'),
    scalar(2, 'spanId', 'id'),
    scalar(3, 'traceState', 'string'),
    scalar(4, 'parentSpanId', 'id'),
    scalar(5, 'name', 'string'),
    enumeration(6, 'kind', SPAN_KINDS),
    scalar(7, 'startTimeUnixNano', 'fixed64'),
    scalar(8, 'endTimeUnixNano', 'fixed64'),
    many(9, 'attributes', 'KeyValue'),
    scalar(10, 'droppedAttributesCount', 'uint32'),
    many(11, 'events', 'Event'),
    scalar(12, 'droppedEventsCount', 'uint32'),
    many(13, 'links', 'Link'),
    scalar(14, 'droppedLinksCount', 'uint32'),
    one(15, 'status', 'Status'),
    scalar(16, 'flags', 'fixed32'),
  ],
  Event: [
    scalar(1, 'timeUnixNano', 'fixed64'),
    scalar(2, 'name', 'string'),
    many(3, 'attributes', 'KeyValue'),
    scalar(4, 'droppedAttributesCount', 'uint32'),
  ],
  Link: [
    scalar(1, 'traceId', 'id'),
    scalar(2, 'spanId', 'id'),
    scalar(3, 'traceState', 'string'),
    many(4, 'attributes', 'KeyValue'),
    scalar(5, 'droppedAttributesCount', 'uint32'),
    scalar(6, 'flags', 'fixed32'),
  ],
  Status: [scalar(2, 'message', 'string'), enumeration(3, 'code', STATUS_CODES)],
  ExportLogsServiceRequest: [many(1, 'resourceLogs', 'ResourceLogs')],
  ResourceLogs: [one(1, 'resource', 'Resource'), many(2, 'scopeLogs', 'ScopeLogs'), scalar(3, 'schemaUrl', 'string')],
  ScopeLogs: [
    one(1, 'scope', 'InstrumentationScope'),
    many(2, 'logRecords', 'LogRecord'),
    scalar(3, 'schemaUrl', 'string'),
  ],
  LogRecord: [
    scalar(1, 'timeUnixNano', 'fixed64'),
    enumeration(2, 'severityNumber', SEVERITY_NUMBERS),
    scalar(3, 'severityText', 'string'),
    one(5, 'body', 'AnyValue'),
    many(6, 'attributes', 'KeyValue'),
    scalar(7, 'droppedAttributesCount', 'uint32'),
    scalar(8, 'flags', 'fixed32'),
    scalar(9, 'traceId', 'id'),
    scalar(10, 'spanId', 'id'),
    scalar(11, 'observedTimeUnixNano', 'fixed64'),
    scalar(12, 'eventName', 'string'),
  ],
  KeyValue: [scalar(1, 'key', 'string'), one(2, 'value', 'AnyValue')],
  AnyValue: [
    scalar(1, 'stringValue', 'string'),
    scalar(2, 'boolValue', 'bool'),
    scalar(3, 'intValue', 'int64'),
    scalar(4, 'doubleValue', 'double'),
    one(5, 'arrayValue', 'ArrayValue'),
    one(6, 'kvlistValue', 'KeyValueList'),
    scalar(7, 'bytesValue', 'bytes'),
  ],
  ArrayValue: [many(1, 'values', 'AnyValue')],
  KeyValueList: [many(1, 'values', 'KeyValue')],
};

const FIELDS_BY_TAG = Object.fromEntries(
  Object.entries(MESSAGES).map(([message, fields]) => [
    message,
    new Map(fields.map((field) => [(field.number << 3) | wireTypeOf(field), field])),
  ]),
) as Record<string, ReadonlyMap<number, FieldSchema>> as Readonly<
  Record<MessageName, ReadonlyMap<number, FieldSchema>>
>;
