/**
 * What becomes of the segments of a part when texts come and go, worked out in a reader's thread. Segments of a size are merged as they
 * become many, all of a part when no span is added to it, and what was removed is left out.
 */
import { unlessDamaged } from './damaged-words.ts';
import { readLeaf } from './leaves.ts';
import { mergeSegments, type OpenSegment } from './merge-segments.ts';
import { readSegment } from './read-segment.ts';
import type { WordScope } from './read-lists.ts';
import {
  HEAD,
  openRemoved,
  openTexts,
  REMOVED,
  sealRemoved,
  sealSegment,
  type StoredSegment,
} from './sealed-segments.ts';
import { buildSegment, type Segment, type TextToIndex } from './segment.ts';

/** What is to be written. */
export interface SegmentChange {
  readonly part: number;
  /** Segments that are replaced. */
  readonly dropped: readonly number[];
  readonly added: StoredSegment | undefined;
  /** Segments that lack more texts. */
  readonly thinned: readonly ThinnedSegment[];
}

/** Which texts of a segment are removed. */
export interface ThinnedSegment {
  readonly number: number;
  readonly removedCount: number;
  /** When the first of them was. */
  readonly removedMs: number;
  /** Their places, sealed. */
  readonly removed: Uint8Array;
}

/** What comes to a part, and goes. */
export interface PartChange {
  readonly part: number;
  /** The number of the segment that is added, if one is; no other segment ever had it. */
  readonly number: number;
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
  const { part, number, removed, mayMerge } = change;
  const known = await listSegments(scope, part);
  const thinned = removed.size > 0 ? await thin(scope, part, known, removed) : [];
  const emptied = new Set(thinned.filter(({ isEmpty }) => isEmpty).map((one) => one.number));
  const removedCounts = new Map(thinned.map((one) => [one.number, one.removedCount]));
  const left = known
    .filter((segment) => !emptied.has(segment.number))
    .map((segment) => ({ ...segment, removedCount: removedCounts.get(segment.number) ?? segment.removedCount }));
  const built = change.added.length > 0 ? buildSegment(change.added) : undefined;
  const chosen = mayMerge ? chooseMerged(left, built?.size, change.isClosed) : [];
  const { merged, segment } = await merge(scope, part, { chosen, removed, built });
  const dropped = [...emptied, ...merged];
  if (built === undefined && dropped.length === 0 && thinned.length === 0) return undefined;
  const isDropped = new Set(dropped);
  return {
    part,
    dropped,
    added: segment && sealSegment({ part, number }, segment),
    thinned: thinned.filter((one) => !isDropped.has(one.number)),
  };
}

interface ChosenSegments {
  readonly chosen: readonly ListedSegment[];
  readonly removed: ReadonlySet<number>;
  readonly built: Segment | undefined;
}

/** Merges segments with the one that was built; those that are damaged stay as they are. */
async function merge(
  scope: WordScope,
  part: number,
  { chosen, removed, built }: ChosenSegments,
): Promise<{ readonly merged: readonly number[]; readonly segment: Segment | undefined }> {
  const merged: number[] = [];
  const read = built === undefined ? [] : [asOpen(built)];
  for (const { number } of chosen) {
    const segment = await unlessDamaged(() => readSegment(scope, { part, number }), undefined);
    if (segment === undefined) continue;
    merged.push(number);
    read.push({ ...segment, removed: withRemoved(segment, removed) });
  }
  return { merged, segment: merged.length === 0 ? built : mergeSegments(read.sort(byFirstText)) };
}

/** Texts that come in order need no sorting where segments are merged. */
function byFirstText(a: OpenSegment, b: OpenSegment): number {
  return (a.offsets[0] ?? 0) - (b.offsets[0] ?? 0);
}

/** Rewrites one segment from which texts were removed a while ago; `undefined` where there is none. */
export async function planErasure(scope: WordScope, number: number): Promise<SegmentChange | undefined> {
  const found = await scope.db
    .selectFrom('search_segments')
    .select(['part', 'number'])
    .where('removed_count', '>', 0)
    .where('removed_ms', '<', Date.now() - ERASED_AFTER_MS)
    .execute();
  for (const { part, number: old } of found) {
    const read = await unlessDamaged(() => readSegment(scope, { part, number: old }), undefined);
    if (read === undefined) continue;
    const segment = mergeSegments([read]);
    return { part, dropped: [old], added: segment && sealSegment({ part, number }, segment), thinned: [] };
  }
  return undefined;
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

/** Segments that hold any of the texts, with these removed; those that are damaged stay as they are. */
async function thin(
  { db, dialect }: WordScope,
  part: number,
  known: readonly ListedSegment[],
  removed: ReadonlySet<number>,
): Promise<readonly (ThinnedSegment & { readonly isEmpty: boolean })[]> {
  const rows = await db
    .selectFrom('search_segments')
    .select([...HEAD, ...REMOVED, 'removed_ms'])
    .where('part', '=', part)
    .where('number', 'in', dialect.numbersOf(known.map(({ number }) => number)))
    .execute();
  const thinned: (ThinnedSegment & { readonly isEmpty: boolean })[] = [];
  for (const row of rows) {
    const opened = await unlessDamaged(async () => ({ offsets: openTexts(row), removed: openRemoved(row) }), undefined);
    if (opened === undefined) continue;
    const places = withRemoved(opened, removed);
    if (places.size === opened.removed.size) continue;
    const { number } = row;
    thinned.push({
      number,
      removedCount: places.size,
      removedMs: row.removed_ms ?? Date.now(),
      removed: sealRemoved({ part, number }, Int32Array.from(places).sort()),
      isEmpty: places.size === opened.offsets.length,
    });
  }
  return thinned;
}

/** The places of texts that are removed from a segment now, or were. */
function withRemoved(
  { offsets, removed: before }: Pick<OpenSegment, 'offsets' | 'removed'>,
  removed: ReadonlySet<number>,
): ReadonlySet<number> {
  const places = new Set(before);
  if (removed.size > 0) for (const [place, offset] of offsets.entries()) if (removed.has(offset)) places.add(place);
  return places;
}

/** Which segments become one with what is added. */
function chooseMerged(
  segments: readonly ListedSegment[],
  addedSize: number | undefined,
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
  for (const segment of bySize) if (segment.removedCount > segment.textCount / 2) choose(segment);
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

/** So many segments of a size become one: no fewer, so that what large steps add to a part is merged once, when the part is full. */
const MAX_ALIKE = 16;

/** Segments of a tier are within a factor of eight of each other. */
function tierOf(size: number): number {
  return Math.max(0, Math.floor(Math.log2(size / SMALL_SEGMENT) / 3) + 1);
}

const SMALL_SEGMENT = 32 * 1024;

/** What is merged is in memory, and written in one transaction. */
const MAX_MERGED_BYTES = 8 * 1024 * 1024;

function asOpen({ offsets, lengths, leaves }: Segment): OpenSegment {
  return { offsets, lengths, removed: new Set(), leaves: leaves.map(({ lists }) => readLeaf(lists)) };
}
