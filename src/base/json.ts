/**
 * JSON that keeps what JavaScript's numbers lose: a float that is whole (`1.0`), integers beyond 2^53, and digits beyond
 * a double's.
 */

/** A number that a JavaScript number cannot carry faithfully, as its JSON text; serialises as that text. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return rawJson.rawJSON?.(this.text) ?? NUMBER_MARK + this.text;
  }
}

/** Any JSON value; objects have no prototype, so that no key of theirs can reach one. */
export type JsonValue = null | boolean | number | string | JsonNumber | JsonValue[] | JsonObject;

/** A JSON object without a prototype. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A new object without a prototype. */
export function jsonObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

/** Whether the value is an object, and neither an array nor a number. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** The faithful JSON form of a 64-bit integer. */
export function jsonInteger(value: bigint): number | JsonNumber {
  return value >= -MAX_SAFE && value <= MAX_SAFE ? Number(value) : new JsonNumber(value.toString());
}

/** The faithful JSON form of a double: whole ones keep their `.0`, NaN and the infinities become text, as OpenTelemetry writes them. */
export function jsonDouble(value: number): number | JsonNumber | string {
  if (!Number.isFinite(value)) return String(value);
  if (!Number.isInteger(value)) return value;
  if (Object.is(value, -0)) return new JsonNumber('-0.0');
  const text = String(value);
  return new JsonNumber(text.includes('e') ? text : `${text}.0`);
}

/**
 * Parses JSON exactly: whole floats, wide integers and decimals of more digits than a double keeps become
 * {@link JsonNumber}, objects have no prototype.
 * @throws SyntaxError where the text is not JSON
 */
export function parseJson(text: string): JsonValue {
  if (rawJson.rawJSON === undefined) return JSON.parse(markNumbers(text), unmarkNumber) as JsonValue;
  return JSON.parse(text, exactNumber as (key: string, value: unknown) => JsonValue) as JsonValue;
}

/**
 * The value as JSON, with every digit of its numbers where `JSON.stringify` has no way to write them, too.
 * @param indent spaces for each level; everything in one line without
 */
export function stringifyJson(value: JsonValue, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return rawJson.rawJSON === undefined ? text.replaceAll(MARKED, '$1') : text;
}

/** Like {@link parseJson}, but `undefined` where the text is not JSON. */
export function tryParseJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    // A RangeError is JSON nested deeper than the stack: as unreadable as a SyntaxError.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Text of which an ordinary parser makes a value whose numbers {@link unmarkNumbers} can restore: for bodies of megabytes, in which few
 * numbers lose digits, as {@link parseJson} takes far longer. The text itself where no number does.
 */
export function markLosses(text: string): string {
  return text.replaceAll(TEXT_OR_LONG_NUMBER, markNumber);
}

/**
 * The value with what {@link markLosses} marked: a {@link JsonNumber} within the fields, an ordinary number elsewhere. What is nested
 * deeper than anything that is stored stays as it is.
 */
export function unmarkNumbers(value: unknown, isExact: (field: string) => boolean): unknown {
  return unmark(value, isExact, false, 0);
}

function unmark(value: unknown, isExact: (field: string) => boolean, isWithin: boolean, depth: number): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(NUMBER_MARK)) return value;
    const digits = value.slice(NUMBER_MARK.length);
    return isWithin ? new JsonNumber(digits) : Number(digits);
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => unmark(item, isExact, isWithin, depth + 1));
  const entries = Object.entries(value).map(
    ([key, item]: [string, unknown]) => [key, unmark(item, isExact, isWithin || isExact(key), depth + 1)] as const,
  );
  return Object.fromEntries(entries);
}

const MAX_DEPTH = 1000;

/** The value with integers beyond 2^53 as their digits in a text, so that no client rounds them. */
export function withReadableIntegers(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : value;
  if (Array.isArray(value)) return value.map(withReadableIntegers);
  if (!isJsonObject(value)) return value;
  const copy = jsonObject();
  for (const key of Object.keys(value)) copy[key] = withReadableIntegers(value[key] ?? null);
  return copy;
}

/** ES2026 raw JSON text, which Node 24 has, some browsers have not, and TypeScript's library does not yet declare. */
const rawJson = JSON as unknown as { readonly rawJSON?: (text: string) => unknown };

/** Without it numbers go through `JSON` as texts with a mark that nobody else knows. */
const NUMBER_MARK = `\uE000${Math.random()} `;
const MARKED = new RegExp(`"${NUMBER_MARK.replace('.', '\\.')}([^"]*)"`, 'g');

/** Texts, which hide what looks like a number in them, and numbers. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d[\d.eE+-]*/g;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Texts, and the only numbers that can lose something: with a point or an exponent, or with sixteen digits and more. */
const TEXT_OR_LONG_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+[.eE][\d.eE+-]*|-?\d{16,}/g;

function markNumbers(text: string): string {
  return text.replaceAll(TEXT_OR_NUMBER, markNumber);
}

function markNumber(token: string): string {
  if (token.startsWith('"') || !JSON_NUMBER.test(token)) return token;
  return exactNumber('', Number(token), { source: token }) instanceof JsonNumber
    ? JSON.stringify(NUMBER_MARK + token)
    : token;
}

function unmarkNumber(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return exactNumber(key, value, {});
  return value.startsWith(NUMBER_MARK) ? new JsonNumber(value.slice(NUMBER_MARK.length)) : value;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

function exactNumber(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value === 'number') {
    const source = context.source ?? String(value);
    if (!Number.isInteger(value)) return isKept(source, value) ? value : new JsonNumber(source);
    if (/[.eE]/.test(source) || !Number.isSafeInteger(value)) return new JsonNumber(source);
    return value;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)) {
    return Object.setPrototypeOf(value, null);
  }
  return value;
}

/** Whether the number has all digits of its source. */
function isKept(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  // Fifteen digits always are.
  return source.length <= 15 || source === String(value) || digitsOf(source) === digitsOf(String(value));
}

/** The digits that matter, without those of the exponent. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');
}
