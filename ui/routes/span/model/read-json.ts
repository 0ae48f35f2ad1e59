/** Reading JSON whose shape is only hoped for: what is not there, or is something else, reads as `undefined`. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, tryParseJson } from '#base/json';
import { attributeAt } from '#domain/attributes';

/** The text, or the number or truth value as text; `undefined` where it is empty or something else. */
export function readText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value instanceof JsonNumber ? value.text : undefined;
}

/** The number, however it is written. */
export function readNumber(value: JsonValue | undefined): number | undefined {
  const text = readText(value);
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The object, also out of JSON text. */
export function readObject(value: JsonValue | undefined): JsonObject | undefined {
  const structure = readStructure(value);
  return isJsonObject(structure) ? structure : undefined;
}

/** The list, also out of JSON text. */
export function readList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  const structure = readStructure(value);
  return Array.isArray(structure) ? structure : undefined;
}

/** The value; text that is a JSON object or list as what it is. */
export function readStructure(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? (parseContainer(value) ?? value) : value;
}

/** The object or list that the text is in JSON. */
export function parseContainer(text: string): JsonObject | JsonValue[] | undefined {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return undefined;
  const value = tryParseJson(text);
  return Array.isArray(value) || isJsonObject(value) ? value : undefined;
}

/** Text at a dotted path of the attributes. */
export function textAt(attributes: JsonObject, path: string): string | undefined {
  return readText(attributeAt(attributes, path));
}

/** Number at a dotted path of the attributes. */
export function numberAt(attributes: JsonObject, path: string): number | undefined {
  return readNumber(attributeAt(attributes, path));
}

/** The fields of the object other than those named; `undefined` where none is left. */
export function restOf(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const rest = Object.entries(object).filter(([key, value]) => !known.has(key) && value !== null && value !== '');
  return rest.length === 0 ? undefined : Object.assign(Object.create(null) as JsonObject, Object.fromEntries(rest));
}

/** Whether the value says nothing: absent, null, empty text, an empty list or object. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
