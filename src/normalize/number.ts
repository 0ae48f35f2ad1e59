import { JsonNumber, type JsonValue } from '#base/json';

/** The integer that a count was meant as: `"12"` and 12.7 are 12, true is 1; `undefined` where it is none, or not a safe one. */
export function toInteger(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return /^\s*[+-]?[0-9]{1,16}\s*$/.test(value) ? safeInteger(Number(value)) : undefined;
  const number = toNumber(value);
  return number === undefined ? undefined : safeInteger(Math.trunc(number));
}

/** A JSON number as a JavaScript number, a close one where it cannot be exact; `undefined` for anything else. */
export function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof JsonNumber ? Number(value.text) : undefined;
}

function safeInteger(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}
