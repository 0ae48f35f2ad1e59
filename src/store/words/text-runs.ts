/** Ids of texts of a part in few bytes: a span that arrives brings texts whose ids follow each other. */
import { ByteReader, ByteWriter } from './bytes.ts';

/** Packs ascending numbers as runs: how far each begins behind the one before it, and how long it is. */
export function packRuns(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  let end = 0;
  for (let at = 0; at < numbers.length; ) {
    const first = numbers[at] as number;
    let length = 1;
    while (numbers[at + length] === first + length) length++;
    writer.writeVarint(first - end);
    writer.writeVarint(length);
    end = first + length;
    at += length;
  }
  return writer.take();
}

/** Reads what {@link packRuns} packed. */
export function unpackRuns(packed: Uint8Array, count: number): Int32Array {
  const reader = new ByteReader(packed);
  const numbers = new Int32Array(count);
  let end = 0;
  for (let at = 0; at < count; ) {
    const first = end + reader.readVarint();
    end = first + reader.readVarint();
    for (let number = first; number < end; number++) numbers[at++] = number;
  }
  return numbers;
}
