/** The distinct values of a dimension, each with a number of its own. */
import { JsonNumber } from '#base/json';
import type { Comparable } from '#filter/compare';
import type { DimensionValue } from './port.ts';

/** The number of a missing value. */
export const MISSING_VALUE = 0;

/** The number of values beyond those that are told apart, and of lists and objects. */
export const UNTOLD_VALUE = -1;

/** Values that are told apart; of texts some 50 MB at most. */
const MAX_VALUES = 100_000;

/** Numbers values in the order in which they come. 1 and 1.0 are one value, 1 and "1" are two. */
export class ValueNumbers {
  readonly #numbers = new Map<string | number | boolean | bigint, number>();
  readonly #values: DimensionValue[] = [NO_VALUE];

  /** Values with a number, that of missing ones included. */
  get count(): number {
    return this.#values.length;
  }

  /** The number of a value, given to it now if it is new. */
  numberOf(value: Comparable): number {
    if (value === undefined || value === null || Number.isNaN(value)) return MISSING_VALUE;
    const key = value instanceof JsonNumber ? keyOfDigits(value.text) : value;
    if (typeof key === 'object') return UNTOLD_VALUE;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#values.length > MAX_VALUES) return UNTOLD_VALUE;
    const number = this.#values.length;
    this.#numbers.set(key, number);
    this.#values.push(
      typeof key === 'bigint' ? { value: Number(key), text: String(key) } : { value: key, text: String(key) },
    );
    return number;
  }

  /** The value of a number that {@link numberOf} gave. */
  valueOf(number: number): DimensionValue {
    return this.#values[number] ?? NO_VALUE;
  }
}

const NO_VALUE: DimensionValue = { value: null, text: '' };

/** Integers beyond 2^53 by their digits. */
function keyOfDigits(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !INTEGER.test(text) ? number : BigInt(text);
}

const INTEGER = /^-?\d{1,310}$/;
