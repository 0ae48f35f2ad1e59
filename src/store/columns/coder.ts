/** Values as places in the list of the distinct ones. */
import { JsonNumber } from '#base/json';
import type { CodedColumn } from './batch.ts';

/** Codes the values of a column as they come; a row that is never set misses its value. */
export class Coder<Value> {
  readonly #codes: Uint16Array;
  readonly #values: (Value | undefined)[] = [undefined];
  readonly #places = new Map<unknown, number>();
  /** Numbers as their digits, which a text may equal. */
  readonly #exactPlaces = new Map<string, number>();

  /** @param rowCount at most 65,535, so that all values may differ */
  constructor(rowCount: number) {
    this.#codes = new Uint16Array(rowCount);
  }

  set(row: number, value: Value): void {
    const isExact = value instanceof JsonNumber;
    const places: Map<unknown, number> = isExact ? this.#exactPlaces : this.#places;
    const key = isExact ? value.text : value;
    let place = places.get(key);
    if (place === undefined) {
      place = this.#values.length;
      this.#values.push(value);
      places.set(key, place);
    }
    this.#codes[row] = place;
  }

  get column(): CodedColumn<Value> {
    return { codes: this.#codes, values: this.#values };
  }
}
