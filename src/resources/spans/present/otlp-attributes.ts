/**
 * Attributes as OTLP's JSON with snake_case names, as text: as objects, millions of values would take ten times what their text takes.
 */
import { JsonNumber, type JsonValue, withReadableIntegers } from '#base/json';

/** Keys with dots, and their values. */
export type FlatAttributes = readonly (readonly [key: string, value: JsonValue])[];

/** The list of attributes as JSON text. */
export function formatAttributes(attributes: FlatAttributes): string {
  return formatList(attributes, ([key, value]) => `{"key":${JSON.stringify(key)},"value":${formatAnyValue(value)}}`);
}

/** A list as JSON text. Long texts are not copied, and short ones do not stay apart. */
export function formatList<T>(items: readonly T[], format: (item: T) => string): string {
  let all = '';
  for (let start = 0; start < items.length; start += CHUNK_ITEMS) {
    const texts = items.slice(start, start + CHUNK_ITEMS).map(format);
    const chunk = texts.some((text) => text.length > MAX_COPIED_CHARACTERS)
      ? texts.reduce((before, text) => `${before},${text}`)
      : texts.join(',');
    all = all === '' ? chunk : `${all},${chunk}`;
  }
  return `[${all}]`;
}

const CHUNK_ITEMS = 1024;
const MAX_COPIED_CHARACTERS = 10_000;

/** All names with one of them set; an object has no value here, as its fields are attributes of their own. */
function formatAnyValue(value: JsonValue): string {
  if (!Array.isArray(value)) return withAllNames(formatScalar(value));
  const toElement = elementOf(value);
  const finish = value.length > MAX_PADDED_VALUES ? withItsName : withAllNames;
  return withAllNames([
    'array_value',
    `{"values":${formatList(value, (one) => finish(formatScalar(toElement(one))))}}`,
  ]);
}

/** Values of a list that is longer have no names that are `null`, which would make it ten times as long. */
const MAX_PADDED_VALUES = 2048;

const NAMES = [
  'array_value',
  'bool_value',
  'bytes_value',
  'double_value',
  'int_value',
  'kvlist_value',
  'string_value',
] as const;

/** A value as JSON text by the name of its type; `null` where there is no value. */
type Named = readonly [name: (typeof NAMES)[number], text: string] | null;

function formatScalar(value: JsonValue): Named {
  if (typeof value === 'string') return ['string_value', JSON.stringify(value)];
  if (typeof value === 'boolean') return ['bool_value', String(value)];
  if (isInteger(value)) return ['int_value', JSON.stringify(withReadableIntegers(value))];
  if (typeof value === 'number' || value instanceof JsonNumber) return ['double_value', JSON.stringify(value)];
  return null;
}

function withItsName(named: Named): string {
  return named === null ? '{}' : `{"${named[0]}":${named[1]}}`;
}

function withAllNames(named: Named): string {
  if (named === null) return NO_VALUE;
  const { before, after } = AROUND[named[0]];
  return `${before}${named[1]}${after}`;
}

const NO_VALUE = `{${NAMES.map((name) => `"${name}":null`).join(',')}}`;

/** What stands before and after the value of a name among all names. */
const AROUND = Object.fromEntries(
  NAMES.map((name) => {
    const [before = '', after = ''] = NO_VALUE.split(`"${name}":null`);
    return [name, { before: `${before}"${name}":`, after }];
  }),
) as Readonly<Record<(typeof NAMES)[number], { readonly before: string; readonly after: string }>>;

/** What stands for a value of the list: itself where all are of one type (all numbers are), and its text where they are not. */
function elementOf(values: readonly JsonValue[]): (value: JsonValue) => JsonValue {
  const types = new Set<string>();
  for (const value of values) types.add(value instanceof JsonNumber ? 'number' : typeof value);
  if (types.size <= 1 && !types.has('object')) return (value) => value;
  return (value) => (typeof value === 'string' ? value : JSON.stringify(value));
}

function isInteger(value: JsonValue): value is number | JsonNumber {
  return value instanceof JsonNumber ? /^-?\d+$/.test(value.text) : Number.isInteger(value);
}
