/**
 * A second implementation of the OTLP trace messages, to test the first against: `@bufbuild/protobuf` with a schema of
 * its own, written down in the form of the `.proto` files.
 */
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/** Encodes a message; the initial values are those of `@bufbuild/protobuf`. */
export function encodeWithOracle(message: string, init: object): Uint8Array {
  const desc = descOf(message);
  return toBinary(desc, create(desc, init as never));
}

/** Decodes a message, however deep it is nested. @throws Error where it is none */
export function decodeWithOracle(message: string, bytes: Uint8Array): Message {
  return fromBinary(descOf(message), bytes, { recursionLimit: MAX_NESTING });
}

/** Formats a message as OTLP JSON: like protobuf's, but with ids in hex. */
export function formatWithOracle(message: string, bytes: Uint8Array, options: { enumAsInteger: boolean }): string {
  const desc = descOf(message);
  const json = toJson(desc, fromBinary(desc, bytes), options);
  return JSON.stringify(json, (key, value: unknown) =>
    // JSON.stringify drops the sign of zero; as text it stays.
    Object.is(value, -0) ? '-0' : recodeId(key, value, 'base64', 'hex'),
  );
}

/** The fields of a message as the oracle's schema has them: number, JSON name, `*` for repeated, and type. */
export function listOracleFields(message: string): readonly string[] {
  return descOf(message).fields.map((field) => {
    const { fieldKind } = field;
    const element = fieldKind === 'list' ? field.listKind : fieldKind;
    const type = (element === 'scalar' && field.scalar && ScalarType[field.scalar]) || field.message?.name || element;
    return `${field.number} ${field.jsonName}${fieldKind === 'list' ? '*' : ''} ${type}`;
  });
}

/** What a field holds that the oracle's schema knows. */
export interface OracleField {
  readonly wireType: number;
  /** The name of the message; absent for other types. */
  readonly message?: string;
  readonly isText: boolean;
}

/** The field of a number; `undefined` for one that the schema does not know. */
export function findOracleField(message: string, number: number): OracleField | undefined {
  const field = descOf(message).fields.find((one) => one.number === number);
  if (field === undefined) return undefined;
  if (field.message !== undefined) return { wireType: 2, message: field.message.name, isText: false };
  const type = field.scalar === undefined ? 'ENUM' : (ScalarType[field.scalar] ?? '');
  return { wireType: WIRE_TYPES[type] ?? 0, isText: type === 'STRING' };
}

const WIRE_TYPES: Readonly<Record<string, number>> = { STRING: 2, BYTES: 2, FIXED64: 1, DOUBLE: 1, FIXED32: 5 };

/** Encodes a message from protobuf's own JSON, ids in base64; unknown names are ignored. @throws Error where it is none */
export function encodePlainJsonWithOracle(message: string, json: unknown): Uint8Array {
  const desc = descOf(message);
  const options = { ignoreUnknownFields: true, recursionLimit: MAX_NESTING };
  return toBinary(desc, fromJson(desc, json as JsonValue, options));
}

const MAX_NESTING = 10_000;

/** Encodes a message from OTLP JSON. */
export function encodeJsonWithOracle(message: string, json: string): Uint8Array {
  const desc = descOf(message);
  const value = JSON.parse(json, (key, part: unknown) => recodeId(key, part, 'hex', 'base64')) as JsonValue;
  return toBinary(desc, fromJson(desc, value));
}

function recodeId(key: string, value: unknown, from: 'hex' | 'base64', to: 'hex' | 'base64'): unknown {
  return ID_KEYS.has(key) && typeof value === 'string' ? Buffer.from(value, from).toString(to) : value;
}

const ID_KEYS = new Set(['traceId', 'spanId', 'parentSpanId']);

const SCHEMA = `
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource {
  repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; repeated EntityRef entity_refs = 3;
}
message EntityRef { string schema_url = 1; string type = 2; repeated string id_keys = 3; repeated string description_keys = 4; }
message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message InstrumentationScope {
  string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
}
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; fixed32 flags = 16;
  string name = 5; SpanKind kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10; repeated Event events = 11;
  uint32 dropped_events_count = 12; repeated Link links = 13; uint32 dropped_links_count = 14; Status status = 15;
}
message Event {
  fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
}
message Link {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4;
  uint32 dropped_attributes_count = 5; fixed32 flags = 6;
}
message Status { string message = 2; StatusCode code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof string string_value = 1; oneof bool bool_value = 2; oneof int64 int_value = 3; oneof double double_value = 4;
  oneof ArrayValue array_value = 5; oneof KeyValueList kvlist_value = 6; oneof bytes bytes_value = 7;
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message ExportLogsServiceRequest { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }
message LogRecord {
  fixed64 time_unix_nano = 1; fixed64 observed_time_unix_nano = 11;
  SeverityNumber severity_number = 2; string severity_text = 3;
  AnyValue body = 5; repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8;
  bytes trace_id = 9; bytes span_id = 10; string event_name = 12;
}
message ExportTraceServiceResponse { ExportTracePartialSuccess partial_success = 1; }
message ExportTracePartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
message ExportLogsServiceResponse { ExportLogsPartialSuccess partial_success = 1; }
message ExportLogsPartialSuccess { int64 rejected_log_records = 1; string error_message = 2; }
message ExportMetricsServiceResponse { ExportMetricsPartialSuccess partial_success = 1; }
message ExportMetricsPartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }
message RpcStatus { int32 code = 1; string message = 2; repeated Any details = 3; }
message Any { string type_url = 1; bytes value = 2; }
message RetryInfo { Duration retry_delay = 1; }
message Duration { int64 seconds = 1; int32 nanos = 2; }
`;

const ENUMS: Readonly<Record<string, readonly string[]>> = {
  SpanKind: ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((name) => `SPAN_KIND_${name}`),
  StatusCode: ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`),
  SeverityNumber: [
    'UNSPECIFIED',
    ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name) => [
      name,
      `${name}2`,
      `${name}3`,
      `${name}4`,
    ]),
  ].map((name) => `SEVERITY_NUMBER_${name}`),
};

const SCALARS: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  bool: FieldDescriptorProto_Type.BOOL,
  double: FieldDescriptorProto_Type.DOUBLE,
  int32: FieldDescriptorProto_Type.INT32,
  int64: FieldDescriptorProto_Type.INT64,
  uint32: FieldDescriptorProto_Type.UINT32,
  fixed32: FieldDescriptorProto_Type.FIXED32,
  fixed64: FieldDescriptorProto_Type.FIXED64,
};

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      create(FileDescriptorProtoSchema, {
        name: 'otlp.proto',
        package: 'otlp',
        syntax: 'proto3',
        messageType: [...SCHEMA.matchAll(/message (\w+) \{([^}]*)\}/g)].map(([, name = '', body = '']) => ({
          name,
          field: [...body.matchAll(/(?:(repeated|oneof) )?(\w+) (\w+) = (\d+);/g)].map(
            ([, prefix, type = '', fieldName = '', number]) => ({
              name: fieldName,
              jsonName: fieldName.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
              number: Number(number),
              label: prefix === 'repeated' ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
              type: SCALARS[type] ?? FieldDescriptorProto_Type[type in ENUMS ? 'ENUM' : 'MESSAGE'],
              ...(SCALARS[type] === undefined && { typeName: `.otlp.${type}` }),
              ...(prefix === 'oneof' && { oneofIndex: 0 }),
            }),
          ),
          oneofDecl: body.includes('oneof ') ? [{ name: 'value' }] : [],
        })),
        enumType: Object.entries(ENUMS).map(([name, values]) => ({
          name,
          value: values.map((value, number) => ({ name: value, number })),
        })),
      }),
    ],
  }),
);

function descOf(message: string): DescMessage {
  const desc = registry.getMessage(`otlp.${message}`);
  if (desc === undefined) throw new Error(`The oracle knows no message ${message}.`);
  return desc;
}
