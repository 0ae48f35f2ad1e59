/** How many spans have which value of a dimension. */
import { JsonNumber } from '#base/json';
import { foldCase } from '#filter/compare';
import type { Vector } from '../query/vectors.ts';
import { MISSING_VALUE, UNTOLD_VALUE, ValueNumbers } from './dimension-values.ts';
import { NumberHistogram } from './number-bins.ts';
import type { Facet, FacetRequest, FacetValue } from './port.ts';

/** Rows of a batch: the first so many of the places. */
export interface Rows {
  readonly count: number;
  readonly rows: Uint16Array;
}

/** Counts batch after batch. */
export class FacetCounter {
  readonly #numbers = new ValueNumbers();
  readonly #histogram = new NumberHistogram();
  /** By the number of the value. */
  #counts = new Float64Array(64);
  #untoldCount = 0;
  #unlistedCount = 0;

  /** Adds the values of rows of a batch. */
  add(vector: Vector, rows: Rows): void {
    switch (vector.kind) {
      case 'unknown':
        this.#unlistedCount += rows.count;
        return;
      case 'constant':
        this.#addValue(vector.value, rows.count);
        return;
      case 'numbers':
        this.#addNumbers(vector.values, this.#withoutUncertain(vector.uncertain, rows));
        return;
      case 'coded':
        this.#addCoded(vector.codes, vector.values, this.#withoutUncertain(vector.uncertain, rows));
        return;
      case 'scalars': {
        const { rows: places, count } = this.#withoutUncertain(vector.uncertain, rows);
        for (let index = 0; index < count; index++) this.#addValue(vector.values[places[index] ?? 0], 1);
      }
    }
  }

  /** What came together. */
  read({ maxValues, prefix }: FacetRequest): Facet {
    const folded = foldCase(prefix ?? '');
    const values: FacetValue[] = [];
    for (let number = 1; number < this.#numbers.count; number++) {
      const value = this.#numbers.valueOf(number);
      if (folded === '' || foldCase(value.text).startsWith(folded))
        values.push({ ...value, count: this.#counts[number] ?? 0 });
    }
    values.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
    const { count, min, max } = this.#histogram;
    return {
      values: values.slice(0, maxValues),
      otherValueCount: Math.max(values.length - maxValues, 0),
      isCut: this.#untoldCount > 0,
      missingCount: this.#counts[MISSING_VALUE] ?? 0,
      unlistedCount: this.#unlistedCount + this.#untoldCount,
      numbers: count === 0 ? null : { count, min, max, bins: this.#histogram.bins() },
    };
  }

  #addCoded(codes: Uint16Array, values: Extract<Vector, { kind: 'coded' }>['values'], { rows, count }: Rows): void {
    const counts = new Uint32Array(values.length);
    for (let index = 0; index < count; index++) {
      const code = codes[rows[index] ?? 0] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    for (const [code, times] of counts.entries()) if (times > 0) this.#addValue(values[code], times);
  }

  #addNumbers(values: Float64Array, { rows, count }: Rows): void {
    let missing = 0;
    for (let index = 0; index < count; index++) {
      const value = values[rows[index] ?? 0] ?? Number.NaN;
      if (Number.isNaN(value)) missing++;
      else this.#histogram.add(value);
    }
    this.#count(MISSING_VALUE, missing);
  }

  #addValue(value: Parameters<ValueNumbers['numberOf']>[0], times: number): void {
    const number = this.#numbers.numberOf(value);
    if (number === UNTOLD_VALUE) this.#untoldCount += times;
    else this.#count(number, times);
    const size = value instanceof JsonNumber ? Number(value.text) : value;
    if (typeof size === 'number' && Number.isFinite(size)) this.#histogram.add(size, times);
  }

  #count(number: number, times: number): void {
    if (number >= this.#counts.length) {
      const grown = new Float64Array(this.#counts.length * 2);
      grown.set(this.#counts);
      this.#counts = grown;
    }
    this.#counts[number] = (this.#counts[number] ?? 0) + times;
  }

  /** The rows of which the value is known; the others are counted. */
  #withoutUncertain(uncertain: Uint8Array | null, at: Rows): Rows {
    if (uncertain === null) return at;
    const rows = new Uint16Array(at.count);
    let count = 0;
    for (let index = 0; index < at.count; index++) {
      const row = at.rows[index] ?? 0;
      if (uncertain[row] !== 1) rows[count++] = row;
    }
    this.#unlistedCount += at.count - count;
    return { rows, count };
  }
}
