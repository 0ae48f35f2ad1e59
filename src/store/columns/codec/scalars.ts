/** Lists of attribute values that keep type and digits. */
import { JsonNumber } from '#base/json';
import type { AttributeScalar } from '#derive/narrow-attributes';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readNumbers, writeNumbers } from './numbers.ts';
import { readTexts, writeTexts } from './texts.ts';

/** Values of one type stand together, types in a fixed order. */
interface ByType {
  readonly texts: string[];
  readonly numbers: number[];
  readonly exact: JsonNumber[];
  /** Those of {@link CONSTANTS} that there are. */
  readonly constants: AttributeScalar[];
}

const CONSTANTS: readonly AttributeScalar[] = [true, false, null];

/** The distinct values in the order in which {@link writeScalars} writes them. */
export function arrangeScalars(values: readonly AttributeScalar[]): readonly AttributeScalar[] {
  const { texts, numbers, exact, constants } = byType(values);
  return [...texts, ...numbers, ...exact, ...constants];
}

/** Writes distinct values; they are read in the order of {@link arrangeScalars}. */
export function writeScalars(out: ByteWriter, values: readonly AttributeScalar[]): void {
  const { texts, numbers, exact, constants } = byType(values);
  writeTexts(out, texts);
  writeNumbers(out, Float64Array.from(numbers));
  writeTexts(
    out,
    exact.map(({ text }) => text),
  );
  out.byte(constants.reduce<number>((bits, value) => bits | (1 << CONSTANTS.indexOf(value)), 0));
}

/** Reads what {@link writeScalars} wrote. */
export function readScalars(from: ByteReader): AttributeScalar[] {
  const values: AttributeScalar[] = readTexts(from);
  for (const number of readNumbers(from)) values.push(number);
  for (const text of readTexts(from)) values.push(new JsonNumber(text));
  const bits = from.byte();
  for (const [bit, value] of CONSTANTS.entries()) if ((bits & (1 << bit)) !== 0) values.push(value);
  return values;
}

function byType(values: readonly AttributeScalar[]): ByType {
  const found: ByType = { texts: [], numbers: [], exact: [], constants: [] };
  for (const value of values) {
    if (typeof value === 'string') found.texts.push(value);
    else if (typeof value === 'number') found.numbers.push(value);
    else if (value instanceof JsonNumber) found.exact.push(value);
    else found.constants.push(value);
  }
  found.constants.sort((a, b) => CONSTANTS.indexOf(a) - CONSTANTS.indexOf(b));
  return found;
}
