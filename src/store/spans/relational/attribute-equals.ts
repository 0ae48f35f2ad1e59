/** Decides an attribute filter on a whole span, with the answers that SQL gives on narrow rows. */
import { JsonNumber, type JsonValue, parseJson } from '#base/json';
import { type AttributeTree, attributeAt } from '#domain/attributes';
import type { AttributeEquals } from '../port.ts';

/** Whether the attribute at the path is the value, type included; an integer equals a float of the same value. */
export function attributeEquals(attributes: AttributeTree, { path, json }: AttributeEquals): boolean {
  const value = parseJson(json);
  const stored = attributeAt(attributes, path);
  if (stored === undefined) return false;
  if (isNumber(value)) return isNumber(stored) && (isFloat(stored) || !isFloat(value)) && sameNumber(stored, value);
  return stored === value;
}

function isNumber(value: JsonValue): value is number | JsonNumber {
  return typeof value === 'number' || value instanceof JsonNumber;
}

function isFloat(value: number | JsonNumber): boolean {
  return value instanceof JsonNumber ? /[.eE]/.test(value.text) : !Number.isInteger(value);
}

function sameNumber(a: number | JsonNumber, b: number | JsonNumber): boolean {
  const [left, right] = [String(a instanceof JsonNumber ? a.text : a), String(b instanceof JsonNumber ? b.text : b)];
  return left === right || (Number(left) === Number(right) && Number.isSafeInteger(Math.trunc(Number(left))));
}
