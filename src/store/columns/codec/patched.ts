/**
 * Whole numbers of which most are small, as their low bytes; what the few large ones have beyond is written apart. Thus one
 * value that took an hour does not make those wider that took a second.
 */
import type { ByteReader, ByteWriter } from './bytes.ts';
import { MAX_WIDTH, readPlanes, writePlanes } from './planes.ts';

/** Writes whole numbers from 0 to 2^53, at most 65,536. */
export function writePatched(out: ByteWriter, values: Float64Array): void {
  const width = chooseWidth(values);
  const base = 256 ** width;
  const large = Array.from(values.keys()).filter((row) => (values[row] as number) >= base);
  out.byte(width);
  writePlanes(out, values, width);
  out.size(large.length);
  for (const row of large) {
    out.size(row);
    out.double(Math.floor((values[row] as number) / base));
  }
}

/** The least that all but a few fit. */
function chooseWidth(values: Float64Array): number {
  for (let width = 1; width < MAX_WIDTH; width++) {
    const base = 256 ** width;
    const largeCount = values.reduce((count, value) => (value >= base ? count + 1 : count), 0);
    if (largeCount <= values.length * MAX_LARGE_SHARE) return width;
  }
  return MAX_WIDTH;
}

const MAX_LARGE_SHARE = 1 / 32;

/** Reads as many numbers as there is room for, each with `start` added. */
export function readPatched(from: ByteReader, values: Float64Array, start = 0): void {
  const width = from.byte();
  readPlanes(from, values, width, start);
  const base = 256 ** width;
  for (let left = from.size(); left > 0; left--) {
    const row = from.size();
    values[row] = (values[row] as number) + from.double() * base;
  }
}
