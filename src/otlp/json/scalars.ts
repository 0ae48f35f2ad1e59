import type { JsonValue } from '#base/json';

/** A JSON value that its field cannot hold; the message names the type that it can, never the value. */
export class WrongJsonType extends Error {
  override readonly name = 'WrongJsonType';
}

/** Reads text. @throws WrongJsonType */
export function readText(value: JsonValue): string {
  if (typeof value !== 'string') throw new WrongJsonType('a string is expected');
  return value;
}

/** Reads a truth value. @throws WrongJsonType */
export function readBool(value: JsonValue): boolean {
  if (typeof value !== 'boolean') throw new WrongJsonType('true or false is expected');
  return value;
}

/** Reads an id: hex in any letter case, and text that is not hex as its UTF-8 bytes. @throws WrongJsonType */
export function readId(value: JsonValue): Uint8Array {
  const text = readText(value);
  return Buffer.from(text, text.length % 2 === 0 && /^[0-9a-f]*$/i.test(text) ? 'hex' : 'utf8');
}

/** Reads base64 in either alphabet, padded or not. @throws WrongJsonType */
export function readBase64(value: JsonValue): Uint8Array {
  const text = readText(value);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new WrongJsonType('base64 is expected');
  return Buffer.from(text, 'base64');
}

/** Reads an integer, as a number or as decimal text, between two bounds. @throws WrongJsonType */
export function readInteger(value: JsonValue, min: bigint, max: bigint): bigint {
  const integer = findInteger(value);
  if (integer === undefined || integer < min || integer > max) {
    throw new WrongJsonType(`an integer from ${min} to ${max} is expected`);
  }
  return integer;
}

/**
 * Reads an integer of 64 bits, as a number or as decimal text. JavaScript exporters send every whole number as an
 * integer, so one beyond 64 bits is the double that it was. @throws WrongJsonType
 */
export function readInt64OrDouble(value: JsonValue): bigint | number {
  const integer = findInteger(value);
  if (integer === undefined) throw new WrongJsonType('an integer is expected');
  return BigInt.asIntN(64, integer) === integer ? integer : Number(integer);
}

/** Reads a double, as a number, decimal text, `NaN`, `Infinity` or `-Infinity`. @throws WrongJsonType */
export function readDouble(value: JsonValue): number {
  if (typeof value === 'string' && (value === 'NaN' || /^-?Infinity$/.test(value))) return Number(value);
  const isNumber = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  const double = isNumber ? Number(value) : NaN;
  if (!Number.isFinite(double)) throw new WrongJsonType('a number is expected');
  return double;
}

/** Reads an enum: its number, or a name that it has. @throws WrongJsonType */
export function readEnum(value: JsonValue, values: Readonly<Record<string, number>>): bigint {
  if (typeof value === 'string' && Object.hasOwn(values, value)) return BigInt(values[value] ?? 0);
  return readInteger(value, -(2n ** 31n), 2n ** 31n - 1n);
}

/** The exact value of a whole number, `1.0` and `1e3` included; `undefined` for anything else. */
function findInteger(value: JsonValue): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_CHARACTERS) return undefined;
  if (/^-?\d+$/.test(value)) return BigInt(value);
  const number = DECIMAL.test(value) ? Number(value) : NaN;
  return Number.isInteger(number) ? BigInt(number) : undefined;
}

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const MAX_NUMBER_CHARACTERS = 400;
