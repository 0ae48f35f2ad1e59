/** The discrete parameters of lists as conditions of the filter language. */
import { JsonNumber, parseJson } from '#base/json';
import { AppError } from '#base/errors';
import type { Condition, Literal, Value } from '#filter/tree';
import type { AttributeEquals, SpanFilter } from '../spans/port.ts';

/**
 * What the fields of a filter come to, but for project, times and ids, which indexes answer; `null` where nothing narrows.
 * @throws AppError `invalid_argument` for an attribute's value that is no text, number or boolean
 */
export function toCondition({
  parentSpanId,
  names,
  kinds,
  statusCodes,
  attributes,
  condition,
}: SpanFilter): Condition | null {
  const operands: Condition[] = [];
  if (kinds !== undefined) operands.push(isOneOf('span_kind', kinds));
  if (statusCodes !== undefined) operands.push(isOneOf('status_code', statusCodes));
  if (parentSpanId === null) operands.push(NAMES_NO_PARENT);
  else if (parentSpanId !== undefined) operands.push(isOneOf('parent_id', [parentSpanId]));
  if (names !== undefined) operands.push(isOneOf('name', names));
  operands.push(...(attributes ?? []).map(hasAttribute));
  if (condition !== undefined) operands.push(condition);
  return conjunction(operands);
}

/** All of them, `null` for none. */
export function conjunction(operands: readonly Condition[]): Condition | null {
  const [first, ...others] = operands;
  if (first === undefined) return null;
  return others.length === 0 ? first : { kind: 'and', operands };
}

/** That a span names no parent. */
export const NAMES_NO_PARENT: Condition = { kind: 'absent', isNegated: false, value: field('parent_id') };

function field(name: string): Value {
  return { kind: 'field', name, of: null, isOfParent: false };
}

function isOneOf(name: string, texts: readonly string[]): Condition {
  const list = texts.map((value): Literal => ({ kind: 'literal', type: 'text', value }));
  return { kind: 'member', isNegated: false, value: field(name), list };
}

function hasAttribute({ path, json }: AttributeEquals): Condition {
  const left: Value = { kind: 'attribute', path, of: null };
  return { kind: 'compare', operator: '==', left, right: toLiteral(json), as: 'exact' };
}

function toLiteral(json: string): Literal {
  const value = parseJson(json);
  if (typeof value === 'string') return { kind: 'literal', type: 'text', value };
  if (typeof value === 'boolean') return { kind: 'literal', type: 'boolean', value };
  if (typeof value === 'number') return { kind: 'literal', type: 'number', value, text: String(value) };
  if (value instanceof JsonNumber)
    return { kind: 'literal', type: 'number', value: Number(value.text), text: value.text };
  throw new AppError('invalid_argument', 'An attribute can only be compared with a text, a number or a boolean.');
}
