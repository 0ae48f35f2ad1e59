import type { AnyValue, KeyValue, KeyValueList } from '../messages.ts';
import { isKeyValueList } from '../messages.ts';
import type { ProtobufReader } from './reader.ts';

/** How deep arrays and maps may be nested; an attribute's own value is level 1. */
export const MAX_VALUE_LEVELS = 64;

/** Stands for a value that is nested deeper than that. */
export const TOO_DEEP_TEXT = `[nested deeper than ${MAX_VALUE_LEVELS} levels]`;

/** Reads a `KeyValue` message; `level` is that of its value. */
export function readKeyValue(reader: ProtobufReader, level = 1): KeyValue {
  reader.charge(KEY_VALUE_BYTES);
  reader.weigh(KEY_VALUE_WEIGHT);
  let key = '';
  let value: AnyValue = null;
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* key */:
        key = reader.readRepeatedText();
        break;
      case 0x12 /* value */:
        value = readAnyValue(reader, value, level);
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
  return { key, value };
}

/** Reads an `AnyValue` message and merges it into what the same field held before; `level` is that of the value. */
export function readAnyValue(reader: ProtobufReader, previous: AnyValue, level: number): AnyValue {
  const outerEnd = reader.enter();
  let value = previous;
  if (level > MAX_VALUE_LEVELS) {
    value = TOO_DEEP_TEXT;
    reader.position = reader.end;
  }
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* string_value */:
        value = reader.readText();
        break;
      case 0x10 /* bool_value */:
        value = reader.readBool();
        break;
      case 0x18 /* int_value */:
        value = reader.readInt64();
        break;
      case 0x21 /* double_value */:
        value = reader.readDouble();
        break;
      case 0x2a /* array_value */:
        value = readArray(reader, value, level + 1);
        break;
      case 0x32 /* kvlist_value */:
        value = readKeyValueList(reader, value, level + 1);
        break;
      case 0x3a /* bytes_value */:
        reader.charge(VIEW_BYTES);
        value = reader.readBytes();
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
  return value;
}

function readArray(reader: ProtobufReader, previous: AnyValue, level: number): readonly AnyValue[] {
  reader.charge(CONTAINER_BYTES);
  reader.weigh(CONTAINER_WEIGHT);
  const values = Array.isArray(previous) ? (previous as AnyValue[]) : [];
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a /* values */) {
      reader.charge(ELEMENT_BYTES);
      reader.weigh(1);
      values.push(readAnyValue(reader, null, level));
    } else {
      reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
  return values;
}

function readKeyValueList(reader: ProtobufReader, previous: AnyValue, level: number): KeyValueList {
  reader.charge(CONTAINER_BYTES);
  reader.weigh(CONTAINER_WEIGHT);
  const entries = isKeyValueList(previous) ? (previous.entries as KeyValue[]) : [];
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a /* values */) entries.push(readKeyValue(reader, level));
    else reader.skip(tag);
  }
  reader.leave(outerEnd);
  return { entries };
}

// What the decoded values take on the heap, roughly.
const KEY_VALUE_BYTES = 64;
const CONTAINER_BYTES = 64;
const ELEMENT_BYTES = 32;
const VIEW_BYTES = 128;

// In values of a list.
const KEY_VALUE_WEIGHT = 4;
const CONTAINER_WEIGHT = 3;
