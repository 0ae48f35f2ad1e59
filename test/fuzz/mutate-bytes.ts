/** Damages bytes the way that broken clients, disks and attackers do. */
import { pick, type Random } from './random.ts';

/** A copy with so many things changed. */
export function mutateBytes(random: Random, bytes: Uint8Array, changes: number): Uint8Array {
  let mutated: Uint8Array = Uint8Array.from(bytes);
  for (let change = 0; change < changes; change++) mutated = pick(random, CHANGES)(random, mutated);
  return mutated;
}

type Change = (random: Random, bytes: Uint8Array) => Uint8Array;

/** Ends and beginnings of numbers, tags that mean something, what UTF-8 forbids, quotes and braces. */
const BYTES = [0x00, 0x01, 0x07, 0x0a, 0x12, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x7f, 0x80, 0xc0, 0xed, 0xff];
const LONG_VARINT = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
const MAX_RANGE = 64;

const CHANGES: readonly Change[] = [
  (random, bytes) => setByte(random, bytes, (old) => old ^ (1 << random(8))),
  (random, bytes) => setByte(random, bytes, () => random(256)),
  (random, bytes) => setByte(random, bytes, () => pick(random, BYTES)),
  (random, bytes) => setByte(random, bytes, (old) => old + (random(2) === 0 ? 1 : -1)),
  (random, bytes) => bytes.subarray(0, random(bytes.length + 1)),
  (random, bytes) => {
    const [start, end] = range(random, bytes);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  (random, bytes) => insert(random, bytes, bytes.subarray(...range(random, bytes))),
  (random, bytes) =>
    insert(
      random,
      bytes,
      Uint8Array.from({ length: random(12) }, () => random(256)),
    ),
  (random, bytes) => insert(random, bytes, LONG_VARINT.subarray(random(LONG_VARINT.length))),
];

function setByte(random: Random, bytes: Uint8Array, change: (old: number) => number): Uint8Array {
  const at = random(bytes.length);
  if (at < bytes.length) bytes[at] = change(bytes[at] ?? 0);
  return bytes;
}

function insert(random: Random, bytes: Uint8Array, part: Uint8Array): Uint8Array {
  const at = random(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

function range(random: Random, bytes: Uint8Array): [start: number, end: number] {
  const start = random(bytes.length + 1);
  return [start, Math.min(bytes.length, start + random(MAX_RANGE))];
}
