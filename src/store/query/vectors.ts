/**
 * The values of an expression for all rows of a batch. What can be said once for a distinct value is said once, and then
 * mapped by the codes of the rows.
 */
import type { Comparable } from '#filter/compare';
import { UNCERTAIN, type Verdicts, verdictsOf, YES } from './verdicts.ts';

/** By row, 1 where the value must be read from the original; `null` where it is known of every row. */
export type UncertainRows = Uint8Array | null;

/** The values of an expression. */
export type Vector =
  /** The same for every row. */
  | { readonly kind: 'constant'; readonly value: Comparable }
  | {
      readonly kind: 'coded';
      readonly codes: Uint16Array;
      readonly values: readonly Comparable[];
      readonly uncertain: UncertainRows;
    }
  /** NaN is missing. */
  | { readonly kind: 'numbers'; readonly values: Float64Array; readonly uncertain: UncertainRows }
  | {
      readonly kind: 'scalars';
      readonly values: readonly Comparable[];
      readonly uncertain: UncertainRows;
    }
  /** Only the originals tell. */
  | { readonly kind: 'unknown' };

/** What only originals tell. */
export const UNKNOWN: Vector = { kind: 'unknown' };

/** The same function of each value. */
export function mapVector(vector: Vector, map: (value: Comparable) => Comparable): Vector {
  switch (vector.kind) {
    case 'unknown':
      return vector;
    case 'constant':
      return { kind: 'constant', value: map(vector.value) };
    case 'coded':
      return { ...vector, values: vector.values.map(map) };
    case 'numbers':
    case 'scalars':
      return {
        kind: 'scalars',
        values: Array.from(vector.values, (value) => map(known(value))),
        uncertain: vector.uncertain,
      };
  }
}

/** A function of two values, row by row. */
export function combineVectors(
  left: Vector,
  right: Vector,
  combine: (left: Comparable, right: Comparable) => Comparable,
  rowCount: number,
): Vector {
  if (left.kind === 'unknown' || right.kind === 'unknown') return UNKNOWN;
  if (right.kind === 'constant') return mapVector(left, (value) => combine(value, right.value));
  if (left.kind === 'constant') return mapVector(right, (value) => combine(left.value, value));
  const [leftAt, rightAt] = [reader(left), reader(right)];
  const values: Comparable[] = [];
  for (let row = 0; row < rowCount; row++) values.push(combine(leftAt(row), rightAt(row)));
  return { kind: 'scalars', values, uncertain: eitherUncertain(left.uncertain, right.uncertain) };
}

/** What holds of each value. */
export function testVector(vector: Vector, holds: (value: Comparable) => boolean, rowCount: number): Verdicts {
  switch (vector.kind) {
    case 'unknown':
      return verdictsOf(rowCount, UNCERTAIN);
    case 'constant':
      return verdictsOf(rowCount, holds(vector.value) ? YES : 0);
    case 'coded': {
      const { values } = vector;
      const ofValue = new Uint8Array(values.length);
      // A callback of the array's own costs several times what most tests do.
      for (let place = 0; place < values.length; place++) if (holds(values[place])) ofValue[place] = YES;
      return markUncertain(ofValue.includes(YES) ? mapCodes(vector.codes, ofValue) : new Uint8Array(rowCount), vector);
    }
    case 'numbers':
    case 'scalars': {
      const verdicts = new Uint8Array(rowCount);
      for (let row = 0; row < rowCount; row++) if (holds(known(vector.values[row]))) verdicts[row] = YES;
      return markUncertain(verdicts, vector);
    }
  }
}

/** What holds of two values, row by row. */
export function testVectors(
  left: Vector,
  right: Vector,
  holds: (left: Comparable, right: Comparable) => boolean,
  rowCount: number,
): Verdicts {
  if (left.kind === 'unknown' || right.kind === 'unknown') return verdictsOf(rowCount, UNCERTAIN);
  if (right.kind === 'constant') return testVector(left, (value) => holds(value, right.value), rowCount);
  if (left.kind === 'constant') return testVector(right, (value) => holds(left.value, value), rowCount);
  const [leftAt, rightAt] = [reader(left), reader(right)];
  const verdicts = new Uint8Array(rowCount);
  for (let row = 0; row < rowCount; row++) if (holds(leftAt(row), rightAt(row))) verdicts[row] = YES;
  return markUncertain(verdicts, { uncertain: eitherUncertain(left.uncertain, right.uncertain) });
}

/** Makes the verdicts of rows uncertain whose values are, in place. */
export function markUncertain(verdicts: Verdicts, { uncertain }: { readonly uncertain: UncertainRows }): Verdicts {
  if (uncertain === null) return verdicts;
  for (let row = 0; row < verdicts.length; row++) if (uncertain[row] === 1) verdicts[row] = UNCERTAIN;
  return verdicts;
}

/** Whether any of both is uncertain, by row. */
function eitherUncertain(left: UncertainRows, right: UncertainRows): UncertainRows {
  if (left === null || right === null) return left ?? right;
  return left.map((is, row) => is | (right[row] ?? 0));
}

function mapCodes(codes: Uint16Array, ofValue: Uint8Array): Verdicts {
  const verdicts = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) verdicts[row] = ofValue[codes[row] as number] as number;
  return verdicts;
}

function reader(vector: Exclude<Vector, { kind: 'unknown' | 'constant' }>): (row: number) => Comparable {
  const { values } = vector;
  if (vector.kind !== 'coded') return (row) => known(values[row]);
  const { codes } = vector;
  return (row) => values[codes[row] ?? 0];
}

/** NaN stands for a number that is missing. */
function known(value: Comparable): Comparable {
  return Number.isNaN(value) ? undefined : value;
}
