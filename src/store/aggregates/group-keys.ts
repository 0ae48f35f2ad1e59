/** By which values of dimensions spans are grouped. */
import type { SpanBatch } from '../columns/batch.ts';
import { type CompiledValue, compileValue, noNeeds } from '../query/compile-value.ts';
import { NOTHING_LOOKED_UP } from '../query/lookups.ts';
import type { Vector } from '../query/vectors.ts';
import { AppError } from '#base/errors';
import { MISSING_VALUE, UNTOLD_VALUE, ValueNumbers } from './dimension-values.ts';
import type { Rows } from './facet-counter.ts';
import type { Dimension, DimensionValue } from './port.ts';
import type { ScanNeeds } from './scan.ts';

/** Reads a dimension of batches. */
export type DimensionReader = (batch: SpanBatch) => Vector;

/**
 * Makes a dimension ready to be read, and notes what it needs of batches.
 * @throws AppError `invalid_argument` for what columns do not tell
 */
export function openDimension(dimension: Dimension, needs: ScanNeeds): DimensionReader {
  const own = noNeeds();
  const isOfRow = dimension.of === null && !(dimension.kind === 'field' && dimension.isOfParent);
  const compiled: CompiledValue | null = isOfRow ? compileValue(dimension, own) : null;
  if (compiled === null || own.lookups.size > 0 || own.columns.size + own.attributes.size === 0) {
    const name = dimension.kind === 'field' ? dimension.name : dimension.path;
    throw new AppError('invalid_argument', `Spans cannot be counted by ${name}: choose a field of the span itself.`);
  }
  for (const column of own.columns) needs.columns.add(column);
  for (const path of own.attributes) needs.attributes.add(path);
  return (batch) => compiled.read({ batch, lookedUp: NOTHING_LOOKED_UP });
}

/** The groups of spans by up to two dimensions; a group is a number. */
export class GroupKeys {
  readonly #readers: readonly DimensionReader[];
  readonly #numbers: readonly ValueNumbers[];

  constructor(readers: readonly DimensionReader[]) {
    this.#readers = readers;
    this.#numbers = readers.map(() => new ValueNumbers());
  }

  /** The group of each row, {@link NO_GROUP} where it is not told apart. */
  keysOf(batch: SpanBatch, rows: Rows): Float64Array {
    const keys = new Float64Array(rows.count);
    for (const [place, read] of this.#readers.entries()) {
      const numbers = this.#numbers[place];
      if (numbers !== undefined) addNumbers(keys, numberRows(read(batch), rows, numbers));
    }
    return keys;
  }

  /** The values that a group has in common. */
  valuesOf(key: number): readonly DimensionValue[] {
    let rest = key;
    return this.#numbers
      .toReversed()
      .map((numbers) => {
        const number = rest % KEY_STEP;
        rest = Math.floor(rest / KEY_STEP);
        return numbers.valueOf(number);
      })
      .reverse();
  }
}

/** The group of what has no value in the only dimension. */
export const WITHOUT_VALUE = MISSING_VALUE;

/** What is in no group of its own. */
export const NO_GROUP = -1;

/** More than a dimension has numbers. */
const KEY_STEP = 2 ** 20;

function addNumbers(keys: Float64Array, numbers: Int32Array): void {
  for (const [index, number] of numbers.entries()) {
    const before = keys[index] ?? 0;
    keys[index] = before === NO_GROUP || number === UNTOLD_VALUE ? NO_GROUP : before * KEY_STEP + number;
  }
}

/** The number of each row's value, {@link UNTOLD_VALUE} where only the original tells it. */
function numberRows(vector: Vector, { count, rows }: Rows, numbers: ValueNumbers): Int32Array {
  const found = new Int32Array(count);
  switch (vector.kind) {
    case 'unknown':
      return found.fill(UNTOLD_VALUE);
    case 'constant':
      return found.fill(numbers.numberOf(vector.value));
    case 'coded': {
      /** By code; −2 for what has not occurred yet. */
      const ofCode = new Int32Array(vector.values.length).fill(-2);
      for (let index = 0; index < count; index++) {
        const code = vector.codes[rows[index] ?? 0] ?? 0;
        if (ofCode[code] === -2) ofCode[code] = numbers.numberOf(vector.values[code]);
        found[index] = ofCode[code] ?? MISSING_VALUE;
      }
      break;
    }
    case 'numbers':
    case 'scalars':
      for (let index = 0; index < count; index++) found[index] = numbers.numberOf(vector.values[rows[index] ?? 0]);
  }
  const { uncertain } = vector;
  if (uncertain === null) return found;
  for (let index = 0; index < count; index++) if (uncertain[rows[index] ?? 0] === 1) found[index] = UNTOLD_VALUE;
  return found;
}
