import { AppError } from '#base/errors';
import { MAX_VALUE_LEVELS, TOO_DEEP_TEXT } from './protobuf/attributes.ts';
import {
  encodeMalformedMessage,
  findMalformedReason,
  MALFORMED_MESSAGE_CHARGE_BYTES,
} from './protobuf/malformed-message.ts';
import { ProtobufReader } from './protobuf/reader.ts';
import { ProtobufWriter } from './protobuf/writer.ts';
import { type ExportRequestName, findField, type MessageName, nameOfItem } from './schema.ts';

/** What stands where a masked value was; OpenInference writes the same. */
const REDACTED_TEXT = '__REDACTED__';

/**
 * Masks attribute values in an export request: every attribute of a resource, scope, span, event, link or log record, and
 * every entry of a map within one or within the body of a log record, whose key `isMasked` gets {@link REDACTED_TEXT} as
 * its value. An entry of a map is asked about twice, by its own key and by its path (`user.address.city`,
 * `documents.0.content`).
 * Returns `request` itself when nothing matches; otherwise all else, unknown fields included, stays byte by byte. What
 * cannot be inspected is not kept: a span or log record that is no protobuf becomes an empty malformed one, and a value
 * that is nested too deep becomes the text that decoding would make of it.
 * @throws AppError `invalid_argument` where anything around those is no protobuf, `too_large`
 */
export function redactRequest(
  request: Uint8Array,
  isMasked: (key: string) => boolean,
  message: ExportRequestName = 'ExportTraceServiceRequest',
): Uint8Array {
  const redaction = new Redaction(request, isMasked);
  const isChanged = redaction.copyMessage(message, '', 0);
  return isChanged ? redaction.finish() : request;
}

/** A field as it lies in the request. */
interface Field {
  readonly tag: number;
  readonly start: number;
  /** Where the value starts; in a length-delimited field, behind the length. */
  readonly contentStart: number;
  readonly end: number;
}

/** Copies a request from back to front, as the writer wants it, and masks on the way. */
class Redaction {
  readonly #reader: ProtobufReader;
  readonly #writer: ProtobufWriter;
  readonly #isMasked: (key: string) => boolean;

  constructor(request: Uint8Array, isMasked: (key: string) => boolean) {
    this.#reader = new ProtobufReader(request);
    this.#writer = new ProtobufWriter(request.length + 1024);
    this.#isMasked = isMasked;
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }

  /** Copies the message that fills the reader; `path` is that of the attribute it is in. Returns whether it masked. */
  copyMessage(message: MessageName, path: string, valueLevel: number): boolean {
    const fields = this.#listFields(message === 'ArrayValue' ? 1 : 0);
    const isChanged =
      message === 'KeyValue'
        ? this.#copyKeyValue(fields, path, valueLevel)
        : this.#copyFields(message, fields, path, valueLevel);
    this.#reader.charge(-fields.length * FIELD_BYTES);
    return isChanged;
  }

  #copyFields(message: MessageName, fields: readonly Field[], path: string, valueLevel: number): boolean {
    let isChanged = false;
    for (let index = fields.length - 1; index >= 0; index--) {
      const field = fields[index] as Field;
      const elementPath = message === 'ArrayValue' ? joinPath(path, String(index)) : path;
      if (this.#copyField(message, field, elementPath, valueLevel)) isChanged = true;
    }
    return isChanged;
  }

  #copyKeyValue(fields: readonly Field[], outerPath: string, valueLevel: number): boolean {
    let key = '';
    let isMasked = false;
    for (const field of fields) {
      if (field.tag !== KEY_TAG) continue;
      key = this.#textOf(field);
      isMasked ||= this.#isMasked(key) || (outerPath !== '' && this.#isMasked(joinPath(outerPath, key)));
    }
    let isChanged = false;
    const firstValue = fields.findIndex((field) => field.tag >>> 3 === VALUE_NUMBER);
    for (let index = fields.length - 1; index >= 0; index--) {
      const field = fields[index] as Field;
      if (!isMasked || field.tag >>> 3 !== VALUE_NUMBER) {
        if (this.#copyField('KeyValue', field, joinPath(outerPath, key), valueLevel)) isChanged = true;
        continue;
      }
      // Several value fields are parts of one value, so the first one's place takes them all.
      isChanged = true;
      if (index === firstValue) this.#writer.message(VALUE_NUMBER, () => this.#writer.text(1, REDACTED_TEXT));
    }
    return isChanged;
  }

  #copyField(message: MessageName, field: Field, path: string, valueLevel: number): boolean {
    const schema = findField(message, field.tag);
    if (schema?.kind !== 'message') {
      this.#writer.raw(this.#reader.slice(field.start, field.end));
      return false;
    }
    const { length } = this.#writer;
    if (this.#copyContent(schema.message, field, path, valueLevel)) {
      this.#writer.closeMessage(schema.number, length);
      return true;
    }
    this.#writer.raw(this.#reader.slice(field.start, field.contentStart));
    return false;
  }

  #copyContent(message: MessageName, field: Field, path: string, valueLevel: number): boolean {
    const reader = this.#reader;
    reader.position = field.contentStart;
    reader.end = field.end;
    if (nameOfItem(message) !== undefined) return this.#copyItem(message, field);
    if (message !== 'AnyValue') return this.copyMessage(message, path, valueLevel);
    if (valueLevel < MAX_VALUE_LEVELS) return this.copyMessage(message, path, valueLevel + 1);
    this.#writer.text(1, TOO_DEEP_TEXT);
    return true;
  }

  #copyItem(message: MessageName, field: Field): boolean {
    const bytes = this.#reader.slice(field.contentStart, field.end);
    if (findMalformedReason(bytes) !== undefined) {
      this.#writer.raw(bytes);
      return false;
    }
    const { length } = this.#writer;
    this.#reader.startWeighing();
    try {
      return this.copyMessage(message, '', 0);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_argument') throw error;
      this.#reader.charge(MALFORMED_MESSAGE_CHARGE_BYTES);
      this.#writer.truncate(length);
      this.#writer.raw(encodeMalformedMessage(error.message));
      return true;
    }
  }

  /** @param weight of each of them, see {@link ProtobufReader.weigh} */
  #listFields(weight: number): Field[] {
    const reader = this.#reader;
    const fields: Field[] = [];
    while (reader.position < reader.end) {
      reader.charge(FIELD_BYTES);
      reader.weigh(weight);
      const start = reader.position;
      const tag = reader.readTag();
      let contentStart = reader.position;
      if ((tag & 7) === 2) {
        const outerEnd = reader.enter();
        contentStart = reader.position;
        reader.leave(outerEnd);
      } else {
        reader.skip(tag);
      }
      fields.push({ tag, start, contentStart, end: reader.position });
    }
    return fields;
  }

  #textOf(field: Field): string {
    return Buffer.from(this.#reader.slice(field.contentStart, field.end)).toString('utf8');
  }
}

/** The path of an entry; a path that grows beyond reason is not followed further, so that no input can make it long. */
function joinPath(path: string, key: string): string {
  if (path === '') return key;
  return path.length + key.length < MAX_PATH_CHARACTERS ? `${path}.${key}` : path;
}

const KEY_TAG = 0x0a;
const VALUE_NUMBER = 2;
const FIELD_BYTES = 64;
const MAX_PATH_CHARACTERS = 1024;
