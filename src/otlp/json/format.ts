import { isJsonObject, type JsonObject, type JsonValue, jsonDouble, jsonObject } from '#base/json';
import { MAX_VALUE_LEVELS, TOO_DEEP_TEXT } from '../protobuf/attributes.ts';
import { ProtobufReader } from '../protobuf/reader.ts';
import { type ExportRequestName, type FieldSchema, findField, type MessageName } from '../schema.ts';

/**
 * Formats an export request as OTLP JSON: hex ids, 64-bit integers as decimal text, bytes in base64, enums
 * as numbers, defaults and unknown fields left out. Transcoding the text gives an equal request.
 * @throws AppError `invalid_argument` where the bytes are no such message
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function formatOtlpJson(request: Uint8Array, message: ExportRequestName = 'ExportTraceServiceRequest'): string {
  const object = jsonObject();
  readMessage(new ProtobufReader(request), message, object, 0);
  return JSON.stringify(object);
}

/** Reads the message that fills the reader into an object, which may hold fields from an earlier part of it. */
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
  switch (field.kind) {
    case 'message': {
      const level = field.message === 'AnyValue' ? valueLevel + 1 : valueLevel;
      let object = isJsonObject(previous) ? previous : jsonObject();
      const outerEnd = reader.enter();
      if (level > MAX_VALUE_LEVELS) object = Object.assign(jsonObject(), { stringValue: TOO_DEEP_TEXT });
      else readMessage(reader, field.message, object, level);
      reader.leave(outerEnd);
      return object;
    }
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
