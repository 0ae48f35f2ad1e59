import { AppError } from '#base/errors';
import type { JsonObject, JsonValue } from '#base/json';
import { isJsonObject } from '#base/json';
import { encodeMalformedMessage } from '../protobuf/malformed-message.ts';
import { ProtobufWriter } from '../protobuf/writer.ts';
import { type ExportRequestName, type FieldSchema, fieldsOf, type MessageName, nameOfItem } from '../schema.ts';
import { parseJsonBody } from './parse-json-body.ts';
import * as scalars from './scalars.ts';

/**
 * Transcodes an export request from OTLP JSON to protobuf; no value is lost. An id that is not hex keeps its text as
 * bytes, unknown fields are ignored, `null` is absent. A span or log record with a wrong type inside becomes a message
 * that decodes as malformed with the reason, and its neighbours are kept.
 * @throws AppError `invalid_argument` where the body is not JSON or anything around the items has a wrong type,
 *   `too_large` where it would take far more memory than its bytes
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function transcodeJsonRequest(
  body: Uint8Array,
  message: ExportRequestName = 'ExportTraceServiceRequest',
): Uint8Array<ArrayBuffer> {
  const request = parseJsonBody(body);
  const transcoder = new Transcoder(body.length);
  try {
    transcoder.writeMessage(message, request);
  } catch (error) {
    if (!(error instanceof scalars.WrongJsonType)) throw error;
    throw new AppError('invalid_argument', `The body is not an ${message}: ${transcoder.describe(error)}.`);
  }
  return transcoder.finish();
}

/** Writes JSON objects as protobuf messages, from back to front as the writer wants it. */
class Transcoder {
  readonly #writer: ProtobufWriter;
  /** Where the value being written stands, for error messages. */
  readonly #path: (string | number)[] = [];
  #malformedCount = 0;

  constructor(capacityBytes: number) {
    this.#writer = new ProtobufWriter(capacityBytes);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#writer.finish();
  }

  /** The error with the path of the value that it is about, such as `resourceSpans.0.resource.attributes.3`. */
  describe(error: scalars.WrongJsonType, pathStart = 0): string {
    const path = this.#path.slice(pathStart).join('.');
    return path === '' ? error.message : `${path}: ${error.message}`;
  }

  writeMessage(message: MessageName, object: JsonObject): void {
    const fields = fieldsOf(message);
    for (let index = fields.length - 1; index >= 0; index--) {
      const field = fields[index];
      const value = field === undefined ? undefined : object[field.name];
      if (field === undefined || value === undefined || value === null) continue;
      this.#path.push(field.name);
      if (field.isRepeated) this.#writeElements(field, value);
      else this.#writeField(field, value, message === 'AnyValue');
      this.#path.pop();
    }
  }

  #writeElements(field: FieldSchema, values: JsonValue): void {
    if (!Array.isArray(values)) throw new scalars.WrongJsonType('an array is expected');
    for (let index = values.length - 1; index >= 0; index--) {
      this.#path.push(index);
      const value = values[index] ?? NO_FIELDS;
      const itemName = field.kind === 'message' ? nameOfItem(field.message) : undefined;
      if (itemName === undefined) this.#writeField(field, value, true);
      else this.#writeItem(field, itemName, value);
      this.#path.pop();
    }
  }

  #writeItem(field: FieldSchema, name: string, value: JsonValue): void {
    const writer = this.#writer;
    const { length } = writer;
    const depth = this.#path.length;
    try {
      this.#writeField(field, value, true);
    } catch (error) {
      if (!(error instanceof scalars.WrongJsonType)) throw error;
      this.#malformedCount++;
      if (this.#malformedCount > MAX_MALFORMED_ITEMS) throw error;
      writer.truncate(length);
      writer.bytes(field.number, encodeMalformedMessage(`Not a valid ${name}: ${this.describe(error, depth)}.`));
      this.#path.length = depth;
    }
  }

  /** Writes a value; one that is its field's default only where the field can tell it from none. */
  #writeField(field: FieldSchema, value: JsonValue, hasPresence: boolean): void {
    const { number } = field;
    const writer = this.#writer;
    switch (field.kind) {
      case 'message': {
        if (!isJsonObject(value)) throw new scalars.WrongJsonType('an object is expected');
        const { length } = writer;
        this.writeMessage(field.message, value);
        writer.closeMessage(number, length);
        return;
      }
      case 'string': {
        const text = scalars.readText(value);
        if (text !== '' || hasPresence) writer.text(number, text);
        return;
      }
      case 'id':
      case 'bytes': {
        const bytes = field.kind === 'id' ? scalars.readId(value) : scalars.readBase64(value);
        if (bytes.length > 0 || hasPresence) writer.bytes(number, bytes);
        return;
      }
      case 'enum': {
        const integer = scalars.readEnum(value, field.values);
        if (integer !== 0n || hasPresence) writer.int64(number, integer);
        return;
      }
      case 'uint32':
      case 'fixed32': {
        const integer = Number(scalars.readInteger(value, 0n, MAX_UINT32));
        if (integer === 0 && !hasPresence) return;
        if (field.kind === 'uint32') writer.uint32(number, integer);
        else writer.fixed32(number, integer);
        return;
      }
      case 'fixed64': {
        const integer = scalars.readInteger(value, 0n, MAX_UINT64);
        if (integer !== 0n || hasPresence) writer.fixed64(number, integer);
        return;
      }
      case 'bool':
        writer.uint32(number, scalars.readBool(value) ? 1 : 0);
        return;
      case 'int64': {
        const integer = scalars.readInt64OrDouble(value);
        if (typeof integer === 'bigint') writer.int64(number, integer);
        else writer.double(DOUBLE_VALUE_NUMBER, integer);
        return;
      }
      case 'double':
        writer.double(number, scalars.readDouble(value));
        return;
    }
  }
}

const NO_FIELDS: JsonObject = {};

const MAX_UINT32 = 2n ** 32n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;
/** Beside `int_value`, the only field of its type. */
const DOUBLE_VALUE_NUMBER = 4;

/** More of them make the whole request wrong: each costs an exception. */
const MAX_MALFORMED_ITEMS = 10_000;
