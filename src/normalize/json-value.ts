import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  jsonDouble,
  jsonInteger,
  jsonObject,
  tryParseJson,
} from '#base/json';
import { type AnyValue, type KeyValue, isKeyValueList } from '#otlp/messages';
import { storableText } from './text.ts';
import { isContainerText, weighJson } from './weigh-json.ts';

/** How deep JSON inside a text may be nested to be read; deeper JSON stays text. */
const MAX_JSON_LEVELS = 64;

/** The JSON form of an attribute value; bytes become base64 text. The decoder has bounded the value's depth. */
export function toJsonValue(value: AnyValue): JsonValue {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'bigint') return jsonInteger(value);
  if (typeof value === 'number') return jsonDouble(value);
  if (value === null || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (!isKeyValueList(value)) return value.map(toJsonValue);
  return toJsonObject(value.entries);
}

/** The JSON form of a map, null values included; the last of repeated keys wins, dots in keys mean nothing. */
function toJsonObject(entries: readonly KeyValue[]): JsonObject {
  const object = jsonObject();
  for (const { key, value } of entries) object[storableText(key)] = toJsonValue(value);
  return object;
}

/**
 * The JSON that a text holds, made storable; `undefined` where it holds none, where it is nested too deep, and where it
 * would take far more memory than its text.
 */
export function readJsonText(text: string): JsonValue | undefined {
  return weighJson(text) === undefined ? undefined : parseStorable(text);
}

/** Like {@link readJsonText}, but takes only an object or a list, and tells a plain text without parsing it. */
export function readJsonContainer(text: string): JsonObject | JsonValue[] | undefined {
  return isContainerText(text) ? (readJsonText(text) as JsonObject | JsonValue[] | undefined) : undefined;
}

/** Like {@link readJsonContainer}, for messages, tools and documents, whose every part becomes several objects. */
export function readJsonItems(text: string): JsonObject | JsonValue[] | undefined {
  if (!isContainerText(text) || weighJson(text, 16) === undefined) return undefined;
  const value = parseStorable(text) as JsonObject | JsonValue[] | undefined;
  return Array.isArray(value) && value.length > 16 + text.length / 32 ? undefined : value;
}

/** Whether the text is a JSON object or list, however deep; cheaper than to read it. */
export function isJsonContainer(text: string): boolean {
  return isContainerText(text) && weighJson(text) !== undefined && parse(text) !== undefined;
}

/** The JSON text of a value; a text stays itself. */
export function toJsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseStorable(text: string): JsonValue | undefined {
  const value = parse(text);
  if (value === undefined || !dropPrototypes(value, MAX_JSON_LEVELS)) return undefined;
  return text.isWellFormed() && !UNSTORABLE_ESCAPE.test(text) ? value : storableJson(value);
}

/** What a text of JSON that is well-formed itself can hide: NUL, and halves of surrogate pairs. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Exact, as {@link tryParseJson}, which is several times slower and seldom needed; prototypes are still to be removed. */
function parse(text: string): JsonValue | undefined {
  if (LONG_NUMBER.test(text) && INEXACT_NUMBER.test(text)) return tryParseJson(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A text that is no JSON is an answer, not a failure.
    return undefined;
  }
}

/**
 * A number that a JavaScript number may not carry faithfully: more than fifteen digits, before the point and after it
 * together, a whole float, or an exponent. It may also stand inside a string.
 */
const INEXACT_NUMBER =
  /(?:^|[[:,])\s*-?(?:\d{16}|(?=[\d.]{17})\d{1,15}\.\d|\d{1,15}(?:\.0+(?!\d)|(?:\.\d{1,14})?[eE]))/;

/** Which no text without such a number has, and is soon looked for. */
const LONG_NUMBER = /\d(?:[\d.]{14}|\.0|[eE])/;

/** Whether the value is not nested too deep; if it is not, its objects have no prototypes afterwards. */
function dropPrototypes(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => dropPrototypes(item, levels - 1));
  for (const key of Object.keys(value)) if (!dropPrototypes(value[key] as JsonValue, levels - 1)) return false;
  Object.setPrototypeOf(value, null);
  return true;
}

/** The value with its texts as they can be stored. */
function storableJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (!isJsonObject(value)) return value;
  const storable = jsonObject();
  for (const key of Object.keys(value)) storable[storableText(key)] = storableJson(value[key] as JsonValue);
  return storable;
}
