import { isJsonObject, type JsonObject, type JsonValue, jsonDouble, jsonObject } from '#base/json';
import { MAX_VALUE_LEVELS, TOO_DEEP_TEXT } from '../protobuf/attributes.ts';
import { ProtobufReader } from '../protobuf/reader.ts';
import { type ExportRequestName, type FieldSchema, findField, type MessageName } from '../schema.ts';

/**
 * Formats an export request as OTLP JSON in UTF-8: hex ids, 64-bit integers as decimal text, bytes in base64, enums
 * as numbers, defaults and unknown fields left out. Transcoding the text gives an equal request.
 * @throws AppError `invalid_argument` where the bytes are no such message
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function formatOtlpJson(request: Uint8Array, message: ExportRequestName = 'ExportTraceServiceRequest'): Buffer {
  const writer = new JsonWriter(2 * request.length);
  writeMessage(new ProtobufReader(request), message, writer, 0);
  return writer.finish();
}

/** Writes the message that fills the reader, field by field: millions of values take no more than their text. */
function writeMessage(reader: ProtobufReader, message: MessageName, writer: JsonWriter, valueLevel: number): void {
  if (!isInOrder(reader, message)) {
    const object = jsonObject();
    readMessage(reader, message, object, valueLevel);
    writer.value(object);
    return;
  }
  writer.ascii('{');
  let separator = '';
  let list: FieldSchema | undefined;
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    const field = findField(message, tag);
    if (field === undefined) {
      reader.skip(tag);
      continue;
    }
    const value = field.kind === 'message' ? undefined : readScalar(reader, field);
    if (value !== undefined && message !== 'AnyValue' && !field.isRepeated && isDefault(value)) continue;
    if (list !== undefined && list !== field) writer.ascii(']');
    if (list === field) writer.ascii(',');
    else writer.ascii(`${separator}"${field.name}":${field.isRepeated ? '[' : ''}`);
    separator = ',';
    list = field.isRepeated ? field : undefined;
    if (field.kind === 'message') writeNested(reader, field.message, writer, valueLevel);
    else writer.value(value);
  }
  writer.ascii(list === undefined ? '}' : ']}');
}

function writeNested(reader: ProtobufReader, message: MessageName, writer: JsonWriter, valueLevel: number): void {
  const level = message === 'AnyValue' ? valueLevel + 1 : valueLevel;
  const outerEnd = reader.enter();
  if (level > MAX_VALUE_LEVELS) writer.value({ stringValue: TOO_DEEP_TEXT });
  else writeMessage(reader, message, writer, level);
  reader.leave(outerEnd);
}

/**
 * Whether the fields of the message that fills the reader can be written as they come: none of them is there again after another
 * one, and of a oneof there is one.
 */
function isInOrder(reader: ProtobufReader, message: MessageName): boolean {
  const { position } = reader;
  const before = new Set<FieldSchema>();
  let last: FieldSchema | undefined;
  let isOrdered = true;
  while (isOrdered && reader.position < reader.end) {
    const tag = reader.readTag();
    const field = findField(message, tag);
    reader.skip(tag);
    if (field === undefined) continue;
    if (field === last) isOrdered = field.isRepeated;
    else isOrdered = !before.has(field) && (message !== 'AnyValue' || last === undefined);
    before.add(field);
    last = field;
  }
  reader.position = position;
  return isOrdered;
}

/** JSON in UTF-8 that grows. */
class JsonWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(capacityBytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(1024, capacityBytes));
  }

  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#buffer.write(text, this.#length, 'latin1');
  }

  value(value: JsonValue | undefined): void {
    const text = JSON.stringify(value);
    this.#reserve(3 * text.length);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
  }

  /** What was written; nothing is written any more. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length + bytes, 1.5 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** Reads the message that fills the reader, whose fields have several parts, into an object, which may hold earlier parts. */
function readMessage(reader: ProtobufReader, message: MessageName, object: JsonObject, valueLevel: number): void {
  reader.charge(OBJECT_BYTES);
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    const field = findField(message, tag);
    if (field === undefined) {
      reader.skip(tag);
    } else if (field.isRepeated) {
      const elements = (object[field.name] ??= []) as JsonValue[];
      elements.push(readValue(reader, field, undefined, valueLevel));
    } else {
      const value = readValue(reader, field, object[field.name], valueLevel);
      if (message === 'AnyValue')
        for (const other of Object.keys(object)) if (other !== field.name) delete object[other];
      if (message !== 'AnyValue' && isDefault(value)) delete object[field.name];
      else object[field.name] = value;
    }
  }
}

function readValue(
  reader: ProtobufReader,
  field: FieldSchema,
  previous: JsonValue | undefined,
  valueLevel: number,
): JsonValue {
  if (field.kind !== 'message') return readScalar(reader, field);
  const level = field.message === 'AnyValue' ? valueLevel + 1 : valueLevel;
  let object = isJsonObject(previous) ? previous : jsonObject();
  const outerEnd = reader.enter();
  if (level > MAX_VALUE_LEVELS) object = Object.assign(jsonObject(), { stringValue: TOO_DEEP_TEXT });
  else readMessage(reader, field.message, object, level);
  reader.leave(outerEnd);
  return object;
}

function readScalar(reader: ProtobufReader, field: Exclude<FieldSchema, { readonly kind: 'message' }>): JsonValue {
  switch (field.kind) {
    case 'string':
      return reader.readText();
    case 'bytes':
      return Buffer.from(reader.readBytes()).toString('base64');
    case 'id':
      return Buffer.from(reader.readBytes()).toString('hex');
    case 'bool':
      return reader.readBool();
    case 'int64':
      return reader.readInt64().toString();
    case 'uint32':
      return reader.readUint32();
    case 'enum':
      return reader.readInt32();
    case 'fixed32':
      return reader.readFixed32();
    case 'fixed64':
      return reader.readFixed64().toString();
    case 'double':
      return jsonDouble(reader.readDouble());
  }
}

/** Whether a field outside a oneof has the value that it also has when it is not sent. */
function isDefault(value: JsonValue): boolean {
  return value === '' || value === 0 || value === '0';
}

/** What a JSON object takes on the heap, roughly. */
const OBJECT_BYTES = 128;
