/** Makes one segment of several, without the texts that were removed from them. */
import { compareWords, LeafCursor, type OpenLeaf } from './leaves.ts';
import { appendPostings, NumberList } from './postings.ts';
import { type Segment, SegmentAssembler } from './segment.ts';

/** A segment as it is read. */
export interface OpenSegment {
  /** Ids of its texts after the first of the part, by their places. */
  readonly offsets: Int32Array;
  readonly lengths: Uint8Array;
  /** Places of texts that were removed. */
  readonly removed: ReadonlySet<number>;
  /** In order. */
  readonly leaves: readonly OpenLeaf[];
}

/** The segment of all their texts; `undefined` where none is left. */
export function mergeSegments(segments: readonly OpenSegment[]): Segment | undefined {
  const { offsets, lengths, newPlaces, isInOrder } = placeTexts(segments);
  if (offsets.length === 0) return undefined;
  const assembler = new SegmentAssembler(offsets, lengths);
  let cursors = segments.map(({ leaves }, segment) => new SegmentCursor(leaves, newPlaces[segment] as Int32Array));
  cursors = cursors.filter((cursor) => cursor.advance());
  const places = new NumberList();
  while (cursors.length > 0) {
    const [first, ...others] = cursors as [SegmentCursor, ...SegmentCursor[]];
    let holders = [first];
    for (const cursor of others) {
      const [holder] = holders as [SegmentCursor];
      const order = compareWords(cursor.word, cursor.length, holder.word, holder.length);
      if (order < 0) holders = [cursor];
      else if (order === 0) holders.push(cursor);
    }
    places.count = 0;
    for (const holder of holders) appendPostings(places, holder.lists, holder.listStart, holder.newPlaces);
    if (!isInOrder) places.take().sort();
    const [{ word, length }] = holders as [SegmentCursor];
    if (places.count > 0) assembler.add(word, length, places.numbers, places.count);
    for (const holder of holders) if (!holder.advance()) cursors = cursors.filter((cursor) => cursor !== holder);
  }
  return assembler.finish();
}

interface PlacedTexts {
  readonly offsets: Int32Array;
  readonly lengths: Uint8Array;
  /** By segment and place in it: the place in the segment of all; -1 for what was removed. */
  readonly newPlaces: readonly Int32Array[];
  /** Whether those of each segment come behind those of the one before it. */
  readonly isInOrder: boolean;
}

function placeTexts(segments: readonly OpenSegment[]): PlacedTexts {
  const texts: { readonly offset: number; readonly segment: number; readonly place: number }[] = [];
  for (const [segment, { offsets, removed }] of segments.entries()) {
    for (const [place, offset] of offsets.entries()) {
      if (!removed.has(place)) texts.push({ offset, segment, place });
    }
  }
  texts.sort((a, b) => a.offset - b.offset);
  const newPlaces = segments.map(({ offsets }) => new Int32Array(offsets.length).fill(-1));
  const lengths = new Uint8Array(texts.length);
  let isInOrder = true;
  let before = 0;
  for (const [at, { segment, place }] of texts.entries()) {
    (newPlaces[segment] as Int32Array)[place] = at;
    lengths[at] = segments[segment]?.lengths[place] as number;
    isInOrder &&= segment >= before;
    before = segment;
  }
  return { offsets: Int32Array.from(texts, ({ offset }) => offset), lengths, newPlaces, isInOrder };
}

/** Goes through the words of a segment. */
class SegmentCursor extends LeafCursor {
  readonly newPlaces: Int32Array;

  constructor(leaves: readonly OpenLeaf[], newPlaces: Int32Array) {
    super(leaves);
    this.newPlaces = newPlaces;
  }
}
