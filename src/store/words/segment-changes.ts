/**
 * What becomes of the segments of a part when texts come and go, worked out in a reader's thread. Segments of a size are merged as they
 * become many, all of a part when no span is added to it, and what was removed is left out.
 */
import type { SearchSegmentsTable } from '../schema/search-tables.ts';
import { type MergedSegment, mergeSegments } from './merge-segments.ts';
import { readPostings, writePostings } from './postings.ts';
import { ByteWriter } from './bytes.ts';
import { isDamage } from './damaged-words.ts';
import type { WordScope } from './read-lists.ts';
import { buildSegment, type Segment, type TextToIndex } from './segment.ts';
import { unpackRuns } from './text-runs.ts';

/** What is to be written. */
export interface SegmentChange {
  readonly part: number;
  /** Segments that must still be there, and then are not. */
  readonly dropped: readonly number[];
  readonly added: (Segment & { readonly number: number }) | undefined;
  /** Segments that must still be there, and then lack more texts. */
  readonly thinned: readonly ThinnedSegment[];
}

/** Which texts of a segment are removed. */
export interface ThinnedSegment {
  readonly number: number;
  readonly removedCount: number;
  /** When the first of them was. */
  readonly removedMs: number;
  /** Their places, packed. */
  readonly removed: Uint8Array;
}

/** What comes to a part, and goes. */
export interface PartChange {
  readonly part: number;
  /** By ascending id. */
  readonly added: readonly TextToIndex[];
  /** Ids by their places after the first of the part; those that are added again included. */
  readonly removed: ReadonlySet<number>;
  /** Merging keeps a thread busy for up to some hundred milliseconds. */
  readonly mayMerge: boolean;
  /** Whether no span is added to it any more. */
  readonly isClosed: boolean;
}

/** The change; `undefined` where nothing changes. Index: the primary keys. */
export async function planSegments(scope: WordScope, change: PartChange): Promise<SegmentChange | undefined> {
  const { part, removed, mayMerge } = change;
  const known = await listSegments(scope, part);
  const thinned = removed.size > 0 ? await thin(scope, part, known, removed) : [];
  const removedCounts = new Map(thinned.map(({ number, removedCount }) => [number, removedCount]));
  const lacking = ({ number, removedCount }: ListedSegment) => removedCounts.get(number) ?? removedCount;
  const isEmpty = (segment: ListedSegment) => lacking(segment) === segment.textCount;
  const left = known.filter((segment) => !isEmpty(segment));
  const built = change.added.length > 0 ? buildSegment(change.added) : undefined;
  const chosen = mayMerge ? chooseMerged(left, built?.size, lacking, change.isClosed) : [];
  const { merged, segment } = await merge(scope, part, { chosen, thinned, built });
  const dropped = [...known.filter(isEmpty), ...merged].map(({ number }) => number);
  if (built === undefined && dropped.length === 0 && thinned.length === 0) return undefined;
  const isDropped = new Set(dropped);
  const number = Math.max(0, ...known.map((one) => one.number)) + 1;
  return {
    part,
    dropped,
    added: segment && { ...segment, number },
    thinned: thinned.filter((one) => !isDropped.has(one.number)),
  };
}

interface ChosenSegments {
  readonly chosen: readonly ListedSegment[];
  readonly thinned: readonly ThinnedSegment[];
  readonly built: Segment | undefined;
}

/** Merges segments with the one that was built; where one is damaged, all stay as they are, and what arrives is indexed all the same. */
async function merge(
  scope: WordScope,
  part: number,
  { chosen, thinned, built }: ChosenSegments,
): Promise<{ readonly merged: readonly ListedSegment[]; readonly segment: Segment | undefined }> {
  if (chosen.length === 0) return { merged: [], segment: built };
  try {
    const read = await readSegments(scope, part, chosen, thinned);
    return { merged: chosen, segment: mergeSegments(built === undefined ? read : [...read, asMerged(built)]) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { merged: [], segment: built };
  }
}

/** Rewrites one segment from which texts were removed a while ago; `undefined` where there is none. */
export async function planErasure(scope: WordScope): Promise<SegmentChange | undefined> {
  const found = await scope.db
    .selectFrom('search_segments')
    .select(['part', 'number'])
    .where('removed_count', '>', 0)
    .where('removed_ms', '<', Date.now() - ERASED_AFTER_MS)
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { part, number } = found;
  const known = await listSegments(scope, part);
  const segment = mergeSegments(
    await readSegments(
      scope,
      part,
      known.filter((one) => one.number === number),
      [],
    ),
  );
  const next = Math.max(...known.map((one) => one.number)) + 1;
  return { part, dropped: [number], added: segment && { ...segment, number: next }, thinned: [] };
}

/** Within this time more is removed where something was. */
const ERASED_AFTER_MS = 60_000;

interface ListedSegment {
  readonly number: number;
  readonly size: number;
  readonly textCount: number;
  readonly removedCount: number;
}

async function listSegments({ db }: WordScope, part: number): Promise<readonly ListedSegment[]> {
  const rows = await db
    .selectFrom('search_segments')
    .select(['number', 'size', 'text_count', 'removed_count'])
    .where('part', '=', part)
    .orderBy('number')
    .execute();
  return rows.map(({ number, size, text_count: textCount, removed_count: removedCount }) => {
    return { number, size, textCount, removedCount };
  });
}

/** Segments that hold any of the texts, with these removed. */
async function thin(
  { db, dialect }: WordScope,
  part: number,
  known: readonly ListedSegment[],
  removed: ReadonlySet<number>,
): Promise<readonly ThinnedSegment[]> {
  const rows = await db
    .selectFrom('search_segments')
    .select(['number', 'text_count', 'texts', 'removed', 'removed_count', 'removed_ms'])
    .where('part', '=', part)
    .where('number', 'in', dialect.numbersOf(known.map(({ number }) => number)))
    .execute();
  const thinned: ThinnedSegment[] = [];
  for (const row of rows) {
    const places = placesOf(row, removed);
    if (places === undefined || places.size === row.removed_count) continue;
    const writer = new ByteWriter();
    writePostings(writer, Int32Array.from(places).sort());
    const removedMs = row.removed_ms ?? Date.now();
    thinned.push({ number: row.number, removedCount: places.size, removedMs, removed: writer.take() });
  }
  return thinned;
}

/** The places of texts that are removed from a segment, or were; `undefined` where it is damaged, and stays as it is. */
function placesOf(
  row: Pick<SearchSegmentsTable, 'text_count' | 'texts' | 'removed'>,
  removed: ReadonlySet<number>,
): Set<number> | undefined {
  try {
    const places = new Set(row.removed === null ? [] : readPostings(row.removed));
    for (const [place, offset] of unpackRuns(row.texts, row.text_count).entries()) {
      if (removed.has(offset)) places.add(place);
    }
    return places;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return undefined;
  }
}

/** Which segments become one with what is added. */
function chooseMerged(
  segments: readonly ListedSegment[],
  addedSize: number | undefined,
  lacking: (segment: ListedSegment) => number,
  isClosed: boolean,
): readonly ListedSegment[] {
  const bySize = segments.toSorted((a, b) => a.size - b.size);
  let bytes = addedSize ?? 0;
  const chosen = new Set<ListedSegment>();
  const choose = (segment: ListedSegment) => {
    if (chosen.has(segment) || bytes + segment.size > MAX_MERGED_BYTES) return;
    bytes += segment.size;
    chosen.add(segment);
  };
  for (const segment of bySize) if (lacking(segment) > segment.textCount / 2) choose(segment);
  const isThin = chosen.size > 0;
  if (isClosed) {
    for (const segment of bySize) choose(segment);
    return chosen.size > 1 || isThin ? [...chosen] : [];
  }
  for (let isMore = addedSize !== undefined; isMore; ) {
    const tier = tierOf(bytes);
    const alike = bySize.filter((segment) => !chosen.has(segment) && tierOf(segment.size) <= tier);
    isMore = alike.length >= MAX_ALIKE;
    const before = chosen.size;
    if (isMore) for (const segment of alike) choose(segment);
    isMore &&= chosen.size > before;
  }
  return [...chosen];
}

/** So many segments of a size become one. */
const MAX_ALIKE = 7;

/** Segments of a tier are within a factor of eight of each other. */
function tierOf(size: number): number {
  return Math.max(0, Math.floor(Math.log2(size / SMALL_SEGMENT) / 3) + 1);
}

const SMALL_SEGMENT = 32 * 1024;

/** What is merged is in memory, and written in one transaction. */
const MAX_MERGED_BYTES = 8 * 1024 * 1024;

async function readSegments(
  { db, dialect }: WordScope,
  part: number,
  segments: readonly ListedSegment[],
  thinned: readonly ThinnedSegment[],
): Promise<readonly MergedSegment[]> {
  const numbers = dialect.numbersOf(segments.map(({ number }) => number));
  const rows = await db
    .selectFrom('search_segments')
    .select(['number', 'text_count', 'texts', 'lengths', 'removed'])
    .where('part', '=', part)
    .where('number', 'in', numbers)
    .orderBy('number')
    .execute();
  const leaves = await db
    .selectFrom('search_leaves')
    .select(['number', 'lists'])
    .where('part', '=', part)
    .where('number', 'in', numbers)
    .orderBy('number')
    .orderBy('first_word')
    .execute();
  const leavesOf = Map.groupBy(leaves, ({ number }) => number);
  return rows.map(({ number, text_count: textCount, texts, lengths, removed: packed }) => {
    const removed = thinned.find((one) => one.number === number)?.removed ?? packed;
    return {
      textCount,
      texts,
      lengths,
      removed: new Set(removed === null ? [] : readPostings(removed)),
      leaves: leavesOf.get(number)?.map(({ lists }) => lists) ?? [],
    };
  });
}

function asMerged({ leaves, ...segment }: Segment): MergedSegment {
  return { ...segment, removed: new Set(), leaves: leaves.map(({ lists }) => lists) };
}
