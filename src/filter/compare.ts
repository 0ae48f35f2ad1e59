/**
 * When two values are equal, in an order, or one in the other: what every evaluator of filters shares. A value that is
 * `undefined` or null, or cannot be what it is compared as, is missing; with a missing value everything is false.
 */
import { JsonNumber, type JsonValue, stringifyJson } from '#base/json';
import { foldCase as foldLetters } from '#base/text';
import type { Comparison, Literal } from './tree.ts';

/** Anything that a field, an attribute or an expression can be. */
export type Comparable = JsonValue | undefined;

/** How many, by an operator. */
export type ComparisonOperator = Comparison['operator'];

/** As what two values are compared. */
export type ComparedAs = Comparison['as'];

/** Whether `left` and `right` are as the operator says. */
export function compareScalars(
  operator: ComparisonOperator,
  left: Comparable,
  right: Comparable,
  as: ComparedAs,
): boolean {
  const order = orderOf(left, right, as);
  if (order === undefined) return false;
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/**
 * A number of a value, which is finite: itself, or what a text says in digits. Missing for truth values, containers, and
 * texts that are anything else.
 */
export function toNumber(value: Comparable): number | undefined {
  const number =
    typeof value === 'number'
      ? value
      : value instanceof JsonNumber
        ? Number(value.text)
        : typeof value === 'string' && NUMBER_TEXT.test(value)
          ? Number(value)
          : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The text of a value: texts as they are, numbers with their digits, `true` and `false`, containers as JSON. */
export function toText(value: Comparable): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** True of `true`, `"true"` and 1, false of `false`, `"false"` and 0; anything else is missing. */
function toBoolean(value: Comparable): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (typeof value !== 'number' && !(value instanceof JsonNumber)) return undefined;
  const number = toNumber(value);
  return number === 1 ? true : number === 0 ? false : undefined;
}

/** A text for looking for another in it, without regard to case, by Unicode's rules. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Once more, since what was taken apart may now be put together otherwise; a sigma ends words with another form.
  return foldLetters(foldLetters(text)).replaceAll('ς', 'σ');
}

const ASCII = /^[\0-\x7F]*$/;

/** Whether a text holds what {@link foldCase} made of another. */
export function holdsFolded(value: Comparable, foldedPart: string): boolean {
  const text = toText(value);
  return text !== undefined && foldCase(text).includes(foldedPart);
}

/** The result, which is finite; missing where a side is no number, and of a division by zero. */
export function calculate(
  operator: '+' | '-' | '*' | '/' | '%',
  left: Comparable,
  right: Comparable,
): number | undefined {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a === undefined || b === undefined) return undefined;
  const result = RESULTS[operator](a, b);
  return Number.isFinite(result) ? result : undefined;
}

/** What a literal stands for; an integer beyond 2^53 keeps its digits. */
export function literalValue(literal: Literal): string | number | boolean | JsonNumber {
  if (literal.type !== 'number' || literal.text === String(literal.value)) return literal.value;
  return new JsonNumber(literal.text);
}

/** Texts as orders and keys go: by code points. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  if (at === length) return left.length - right.length;
  const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
  // Halves of a pair stand for code points beyond all that are one unit.
  if (isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1;
  return a - b;
}

/** Whether two values are the same as a test of a list sees them: what {@link memberKey} gives is equal. */
export type MemberKey = string | number | boolean | undefined;

/**
 * The key by which a value is looked up among the {@link MemberKey}s of a list's literals, which are all of one type; missing
 * where it cannot be of that type.
 */
export function memberKey(value: Comparable, type: Literal['type']): MemberKey {
  switch (type) {
    case 'text':
      return toText(value);
    case 'boolean':
      return toBoolean(value);
    case 'date':
      return toNumber(value);
    case 'number': {
      const number = toNumber(value);
      if (number === undefined || Number.isSafeInteger(number) || !Number.isInteger(number)) return number;
      return (integerOf(value) ?? BigInt(number)).toString();
    }
  }
}

const NUMBER_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

const RESULTS = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
};

/** Less, equal or greater than zero; not a number where the values are different without an order. */
function orderOf(left: Comparable, right: Comparable, as: ComparedAs): number | undefined {
  switch (as) {
    case 'text': {
      const [a, b] = [toText(left), toText(right)];
      return a === undefined || b === undefined ? undefined : compareTexts(a, b);
    }
    case 'boolean': {
      const [a, b] = [toBoolean(left), toBoolean(right)];
      return a === undefined || b === undefined ? undefined : Number(a) - Number(b);
    }
    case 'number':
    case 'date':
      return orderOfNumbers(left, right);
    case 'exact':
    case 'same':
      return isPlain(left) && isPlain(right) ? (isSame(left, right, as) ? 0 : Number.NaN) : undefined;
  }
}

function orderOfNumbers(left: Comparable, right: Comparable): number | undefined {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a === undefined || b === undefined) return undefined;
  if (a !== b || Number.isSafeInteger(a)) return a - b;
  // Beyond 2^53 different integers are one double.
  const [exactA, exactB] = [integerOf(left), integerOf(right)];
  if (exactA === undefined || exactB === undefined) return 0;
  return exactA < exactB ? -1 : exactA > exactB ? 1 : 0;
}

/** The integer that a value's digits say, for those that a number cannot hold. */
function integerOf(value: Comparable): bigint | undefined {
  const text = value instanceof JsonNumber ? value.text : typeof value === 'string' ? value.trim() : undefined;
  return text !== undefined && INTEGER_TEXT.test(text) ? BigInt(text) : undefined;
}

/** As many digits as a finite number has at most. */
const INTEGER_TEXT = /^-?\d{1,310}$/;

function isSame(left: Plain, right: Plain, as: 'exact' | 'same'): boolean {
  if (!isNumber(left) || !isNumber(right)) return left === right;
  // A caller who asks for 1.0 does not mean 1, but who asks for 1 means both.
  if (as === 'exact' && isFloat(right) && !isFloat(left)) return false;
  return orderOfNumbers(left, right) === 0;
}

type Plain = string | number | boolean | JsonNumber;

function isPlain(value: Comparable): value is Plain {
  return value instanceof JsonNumber || (value !== null && value !== undefined && typeof value !== 'object');
}

function isNumber(value: Plain): value is number | JsonNumber {
  return typeof value === 'number' || value instanceof JsonNumber;
}

function isFloat(value: number | JsonNumber): boolean {
  return value instanceof JsonNumber ? /[.eE]/.test(value.text) : !Number.isInteger(value);
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
