/** A type for JSON values of any kind: what has none in common is text. */
import { bool, type DataType, field, float64, int64, list, struct, utf8 } from '@uwdata/flechette';
import { isJsonObject, JsonNumber, type JsonValue } from '#base/json';

/** The type of values; `long` are integers that a double cannot hold, `json` are texts of JSON. A value of any type may be missing. */
export type InferredType =
  | { readonly kind: 'none' | 'text' | 'json' | 'integer' | 'long' | 'float' | 'boolean' }
  | { readonly kind: 'list'; readonly of: InferredType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, InferredType> };

/** Texts. */
export const TEXT: InferredType = { kind: 'text' };
/** Integers of 64 bits. */
export const INTEGER: InferredType = { kind: 'integer' };
/** Doubles. */
export const FLOAT: InferredType = { kind: 'float' };

const NONE: InferredType = { kind: 'none' };
const LONG: InferredType = { kind: 'long' };
const JSON_TEXT: InferredType = { kind: 'json' };

/** The narrowest type of all values. */
export function inferType(values: readonly JsonValue[]): InferredType {
  let type = NONE;
  for (const value of values) {
    type = combine(type, typeOf(value));
    if (type.kind === 'json') return type;
  }
  return type;
}

function typeOf(value: JsonValue): InferredType {
  if (value === null) return NONE;
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? INTEGER : FLOAT;
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? typeOfInteger(value.text) : FLOAT;
  if (Array.isArray(value)) return { kind: 'list', of: inferType(value) };
  const fields = Object.entries(value).map(([key, member]) => [key, typeOf(member)] as const);
  return fields.length === 0 || fields.length > MAX_FIELDS ? JSON_TEXT : { kind: 'struct', fields: new Map(fields) };
}

/** More digits than 64 bits have are left to a text. */
function typeOfInteger(text: string): InferredType {
  if (Number.isSafeInteger(Number(text))) return INTEGER;
  return text.length <= MAX_DIGITS && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? LONG : JSON_TEXT;
}

const MAX_DIGITS = '-9223372036854775808'.length;

/** Keys that are data, such as ids, are no columns. */
const MAX_FIELDS = 256;

function combine(a: InferredType, b: InferredType): InferredType {
  if (a.kind === 'none') return b;
  if (b.kind === 'none') return a;
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: combine(a.of, b.of) };
  if (a.kind === 'struct' && b.kind === 'struct') {
    const fields = new Map(a.fields);
    for (const [key, type] of b.fields) fields.set(key, combine(fields.get(key) ?? NONE, type));
    return fields.size > MAX_FIELDS ? JSON_TEXT : { kind: 'struct', fields };
  }
  if (a.kind === b.kind) return a;
  const kinds = new Set([a.kind, b.kind]);
  if (!kinds.has('integer')) return JSON_TEXT;
  if (kinds.has('long')) return LONG;
  return kinds.has('float') ? FLOAT : JSON_TEXT;
}

/** The Arrow type. */
export function toArrowType(type: InferredType): DataType {
  switch (type.kind) {
    // The encoder has no type for what is never there.
    case 'none':
    case 'text':
    case 'json':
      return utf8();
    case 'integer':
    case 'long':
      return int64();
    case 'float':
      return float64();
    case 'boolean':
      return bool();
    case 'list':
      return list(field('item', toArrowType(type.of)));
    case 'struct':
      return struct([...type.fields].map(([name, member]) => field(name, toArrowType(member))));
  }
}

/** A value of the type as the encoder takes it. */
export function toArrowValue(type: InferredType, value: JsonValue): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case 'json':
      return JSON.stringify(value);
    case 'integer':
    case 'long':
      return BigInt(value instanceof JsonNumber ? value.text : Number(value));
    case 'float':
      return Number(value instanceof JsonNumber ? value.text : value);
    case 'list':
      return Array.isArray(value) ? value.map((item) => toArrowValue(type.of, item)) : null;
    case 'struct': {
      if (!isJsonObject(value)) return null;
      const members = [...type.fields].map(([name, of]) => [name, toArrowValue(of, value[name] ?? null)] as const);
      return Object.assign(Object.create(null) as object, Object.fromEntries(members));
    }
    default:
      return value;
  }
}
