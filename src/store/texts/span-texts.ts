/** Which texts a span holds, packed into the columns of its row. */
import type { PlaceBits } from '#derive/search/scope';
import { SPAN_TEXTS, spansOfPart, partOfSpan, textId, textsOfSpans } from '../words/text-ids.ts';

/** Texts by their ids, with the places in which the span holds each. */
export type HeldTexts = ReadonlyMap<number, PlaceBits>;

/** Ids of the texts that a span was the first to hold, by their hashes. */
export type IntroducedTexts = ReadonlyMap<string, number>;

/** Bytes of a hash, so many that two texts of a trace are never alike by chance. A hash is a text with a character for each. */
export const HASH_BYTES = 8;

const PLACE_BIT_COUNT = 5;
const PLACE_BITS = 1 << PLACE_BIT_COUNT;
const FIRST_SHIFT = 7 - PLACE_BIT_COUNT;

/** Packs the texts that a span holds: for each, by ascending id, its distance from the one before and its places, as one varint. */
export function encodeHeld(spanRowId: number, held: HeldTexts): Uint8Array {
  const bytes: number[] = [];
  let before = firstTextOf(spanRowId);
  for (const [id, places] of [...held].sort(([a], [b]) => a - b)) {
    let value = (id - before) * PLACE_BITS + places;
    for (; value >= VARINT; value = Math.floor(value / VARINT)) bytes.push((value % VARINT) + VARINT);
    bytes.push(value);
    before = id;
  }
  return Uint8Array.from(bytes);
}

/** Hands each text that a span holds to the visitor, in ascending order, by its place among the texts of the part. */
export function visitHeld(packed: Uint8Array, visit: (offset: number, places: PlaceBits) => void): void {
  let offset = 0;
  for (let at = 0; at < packed.length; at++) {
    let byte = packed[at] as number;
    const places = byte & (PLACE_BITS - 1);
    // The first byte holds the places and two bits of the distance, each further one seven.
    let distance = (byte & (VARINT - 1)) >>> PLACE_BIT_COUNT;
    for (let shift = FIRST_SHIFT; byte >= VARINT; shift += 7) {
      byte = packed[++at] as number;
      distance |= (byte & (VARINT - 1)) << shift;
    }
    offset += distance;
    visit(offset, places);
  }
}

const VARINT = 0x80;

/** The first id of the texts of the span's part. */
export function firstTextOf(spanRowId: number): number {
  return textsOfSpans(spansOfPart(partOfSpan(spanRowId))).first;
}

/** Packs the texts that a span was the first to hold: for each its number and its hash. */
export function encodeIntroduced(introduced: IntroducedTexts): Uint8Array {
  const packed = Buffer.alloc(introduced.size * ENTRY_BYTES);
  let at = 0;
  for (const [hash, id] of introduced) {
    packed.writeUInt16LE(id % SPAN_TEXTS, at);
    packed.write(hash, at + ORDINAL_BYTES, 'latin1');
    at += ENTRY_BYTES;
  }
  return packed;
}

/** The inverse of {@link encodeIntroduced}. */
export function decodeIntroduced(spanRowId: number, packed: Uint8Array): Map<string, number> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const introduced = new Map<string, number>();
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    const hash = bytes.toString('latin1', at + ORDINAL_BYTES, at + ENTRY_BYTES);
    introduced.set(hash, textId(spanRowId, bytes.readUInt16LE(at)));
  }
  return introduced;
}

const ORDINAL_BYTES = 2;
const ENTRY_BYTES = ORDINAL_BYTES + HASH_BYTES;
