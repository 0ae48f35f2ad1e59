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
      const kept = typeof value === 'string' ? (ownText(value) as Value & string) : value;
      this.#values.push(kept);
      places.set(isExact ? key : kept, place);
    }
    this.#codes[row] = place;
  }

  get column(): CodedColumn<Value> {
    return { codes: this.#codes, values: this.#values };
  }
}

/** The text by itself: a part of another one would keep all of that. */
function ownText(text: string): string {
  return text.length < LEAST_PART ? text : ` ${text}`.slice(1);
}

/** Shorter parts are copied anyway. */
const LEAST_PART = 13;
