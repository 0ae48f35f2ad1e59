/** Whole numbers as their lowest bytes, then their second ones, and so on: each kind of byte compresses better alone. */
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Bytes of a number at most: below 2^48. */
export const MAX_WIDTH = 6;

/** Writes the lowest bytes of whole numbers from 0 on, as many of each as the width says. */
export function writePlanes(out: ByteWriter, values: ArrayLike<number>, width: number): void {
  const count = values.length;
  const bytes = new Uint8Array(count * width);
  for (let row = 0; row < count; row++) {
    let value = values[row] as number;
    for (let plane = 0; plane < width; plane++) {
      bytes[plane * count + row] = value % 256;
      value = Math.floor(value / 256);
    }
  }
  out.bytes(bytes);
}

/** Reads as many numbers as there is room for, each with `start` added. */
export function readPlanes(from: ByteReader, values: Float64Array | Uint16Array, width: number, start = 0): void {
  if (width < 1 || width > MAX_WIDTH) throw new RangeError(`numbers are ${width} bytes wide`);
  const count = values.length;
  const bytes = from.bytes(count * width);
  if (width === 1 && start === 0) return values.set(bytes);
  switch (width) {
    case 1:
      for (let row = 0; row < count; row++) values[row] = start + (bytes[row] as number);
      break;
    case 2:
      for (let row = 0; row < count; row++) {
        values[row] = start + ((bytes[row] as number) | ((bytes[count + row] as number) << 8));
      }
      break;
    case 3:
      for (let row = 0; row < count; row++) {
        const low = (bytes[row] as number) | ((bytes[count + row] as number) << 8);
        values[row] = start + (low | ((bytes[2 * count + row] as number) << 16));
      }
      break;
    case 4:
      for (let row = 0; row < count; row++) {
        const low = (bytes[row] as number) | ((bytes[count + row] as number) << 8);
        const high = (bytes[2 * count + row] as number) | ((bytes[3 * count + row] as number) << 8);
        values[row] = start + high * 0x10000 + low;
      }
      break;
    default:
      for (let row = 0; row < count; row++) {
        let value = 0;
        for (let plane = width - 1; plane >= 0; plane--) value = value * 256 + (bytes[plane * count + row] as number);
        values[row] = start + value;
      }
  }
}
