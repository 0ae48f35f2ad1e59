/** Columns of numbers: as few bytes each as their range allows, from a common start or from the number before. */
import { type ByteReader, ByteWriter } from './bytes.ts';
import { compress } from './chunk.ts';
import { readPatched, writePatched } from './patched.ts';
import { NEW_ARRAYS, type TakeArray } from './reused-arrays.ts';

/** How the numbers of a column are written; stored, so a code never changes its meaning. */
const FORMS = { constant: 0, offsets: 1, offsetsOrMissing: 2, deltas: 3, doubles: 4 } as const;

/** Writes numbers in the form that compresses best; NaN, negative zero and the infinities are numbers, too. */
export function writeNumbers(out: ByteWriter, values: Float64Array): void {
  out.size(values.length);
  out.bytes(formOf(values));
}

function formOf(values: Float64Array): Uint8Array {
  const first = values[0] ?? NaN;
  if (values.every((value) => Object.is(value, first))) {
    return formed(FORMS.constant, (out) => out.double(first));
  }
  const forms = [asOffsets(values), asDeltas(values)].filter((form) => form !== undefined);
  const [form, other] = forms;
  if (form === undefined) return asDoubles(values);
  return other === undefined || compress(form).length <= compress(other).length ? form : other;
}

function formed(form: number, write: (out: ByteWriter) => void): Uint8Array {
  const out = new ByteWriter();
  out.byte(form);
  write(out);
  return out.written;
}

function asDoubles(values: Float64Array): Uint8Array {
  return formed(FORMS.doubles, (out) => {
    for (const value of values) out.double(value);
  });
}

/** Each number less the smallest; where some are missing, 0 is a missing one. */
function asOffsets(values: Float64Array): Uint8Array | undefined {
  let min = Infinity;
  let max = -Infinity;
  let isAnyMissing = false;
  for (const value of values) {
    if (Number.isNaN(value)) isAnyMissing = true;
    else if (!isWhole(value)) return undefined;
    else {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  const start = isAnyMissing ? min - 1 : min;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(max - start)) return undefined;
  const offsets = values.map((value) => (Number.isNaN(value) ? 0 : value - start));
  return formed(isAnyMissing ? FORMS.offsetsOrMissing : FORMS.offsets, (out) => {
    out.double(start);
    writePatched(out, offsets);
  });
}

/** Each number less the one before, less the smallest of those differences. */
function asDeltas(values: Float64Array): Uint8Array | undefined {
  if (!values.every(isWhole)) return undefined;
  const deltas = new Float64Array(values.length);
  let min = Infinity;
  let max = -Infinity;
  for (let row = 1; row < values.length; row++) {
    const delta = (values[row] as number) - (values[row - 1] as number);
    if (delta < min) min = delta;
    if (delta > max) max = delta;
    deltas[row] = delta;
  }
  if (![min, max, max - min].every(Number.isSafeInteger)) return undefined;
  deltas[0] = min;
  return formed(FORMS.deltas, (out) => {
    out.double(values[0] as number);
    out.double(min);
    writePatched(
      out,
      deltas.map((delta) => delta - min),
    );
  });
}

/** Whether differences of such numbers are exact. */
function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Reads what {@link writeNumbers} wrote. */
export function readNumbers(from: ByteReader, take: TakeArray<Float64Array> = NEW_ARRAYS.takeNumbers): Float64Array {
  const values = take(from.size());
  const form = from.byte();
  switch (form) {
    case FORMS.constant:
      return values.fill(from.double());
    case FORMS.offsets: {
      const start = from.double();
      readPatched(from, values, start);
      return values;
    }
    case FORMS.offsetsOrMissing: {
      const start = from.double();
      readPatched(from, values);
      for (let row = 0; row < values.length; row++)
        values[row] = values[row] === 0 ? NaN : (values[row] as number) + start;
      return values;
    }
    case FORMS.deltas: {
      let value = from.double();
      const min = from.double();
      readPatched(from, values);
      values[0] = value;
      for (let row = 1; row < values.length; row++) {
        value += min + (values[row] as number);
        values[row] = value;
      }
      return values;
    }
    case FORMS.doubles:
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength).set(from.bytes(values.byteLength));
      return values;
    default:
      throw new RangeError(`numbers are in the unknown form ${form}`);
  }
}
