/** Which stretches of row ids may hold spans of a scope, and in which order they are read. */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { type BatchOrder, type BatchScope, MAX_BATCH_ROWS, type RestOfBatches } from './batch.ts';
import { readHeads, readNextRowId, rowIdsOf, type SegmentHead, segmentOf } from './segments.ts';
import { giveWay } from '../threads/fair-turns.ts';

/** The row ids of a segment, whether it is built or not. */
export interface Stretch {
  readonly segment: number;
  /** `null` where only rows can be read. */
  readonly head: SegmentHead | null;
  /** Whether the segment may hold rows of the scope that did not change. */
  readonly isSegmentRead: boolean;
  readonly hasChanges: boolean;
  /** Of the spans of the scope that may be found in it. */
  readonly bounds: RestOfBatches;
}

/** The stretches of a scope, by their row ids. Index: primary keys. */
export async function listStretches(db: Kysely<Tables>, which: BatchScope): Promise<readonly Stretch[]> {
  const endRowId = Math.min(which.endRowId ?? Infinity, await readNextRowId(db));
  const firstRowId = Math.max(which.firstRowId ?? 1, 1);
  if (firstRowId >= endRowId) return [];
  const [first, last] = [segmentOf(firstRowId), segmentOf(endRowId - 1)];
  // Before heads: what changed earlier is either listed or in the build that the head names, and a segment that is passed
  // over need not be looked at again.
  const changes = await findChanges(db, which, { firstRowId, endRowId });
  const heads = new Map((await readHeads(db, first, last)).map((head) => [head.segment, head]));
  await giveWay();
  const stretches: Stretch[] = [];
  for (let segment = first; segment <= last; segment++) {
    const head = heads.get(segment) ?? null;
    const changed = changes.get(segment);
    const bounds = boundsOf(which, head, changed, { firstRowId, endRowId, segment });
    const isSegmentRead = head !== null && mayHold(head, which);
    if (head !== null && !isSegmentRead && changed?.matching === undefined) continue;
    stretches.push({ segment, head, isSegmentRead, hasChanges: changed !== undefined, bounds });
  }
  return stretches;
}

function mayHold(
  { rowCount, minStartUs, maxStartUs, projectRowIds }: SegmentHead,
  { projectRowId, startTimeUs = -Infinity, endTimeUs = Infinity }: BatchScope,
): boolean {
  if (rowCount === 0 || minStartUs === null || maxStartUs === null) return false;
  if (projectRowIds?.includes(projectRowId) === false) return false;
  return minStartUs < endTimeUs && maxStartUs >= startTimeUs;
}

/** Starts of rows. */
interface Starts {
  readonly minStartUs: number;
  readonly maxStartUs: number;
}

interface Changes {
  /** Of the changed rows that are in the scope now; `undefined` where none is. */
  readonly matching: Starts | undefined;
}

interface RowIdRange {
  readonly firstRowId: number;
  readonly endRowId: number;
}

/** What changed since segments were built, by segment. A bounded number of rows at a time. */
async function findChanges(
  db: Kysely<Tables>,
  { projectRowId, startTimeUs = -Infinity, endTimeUs = Infinity }: BatchScope,
  { firstRowId, endRowId }: RowIdRange,
): Promise<ReadonlyMap<number, Changes>> {
  const found = new Map<number, Changes>();
  for (let from = firstRowId; ; await giveWay()) {
    const rows = await db
      .selectFrom('span_segment_changes as change')
      .leftJoin('spans', 'spans.id', 'change.span_row_id')
      .select(['change.span_row_id', 'spans.project_id', 'spans.start_us'])
      .where('change.span_row_id', '>=', from)
      .where('change.span_row_id', '<', endRowId)
      .orderBy('change.span_row_id')
      .limit(MAX_BATCH_ROWS)
      .execute();
    for (const { span_row_id, project_id, start_us } of rows) {
      const segment = segmentOf(span_row_id);
      const before = found.get(segment)?.matching;
      const isMatching =
        project_id === projectRowId && start_us !== null && start_us >= startTimeUs && start_us < endTimeUs;
      const own = isMatching ? { minStartUs: start_us, maxStartUs: start_us } : undefined;
      found.set(segment, { matching: own === undefined ? before : span(own, before) });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < MAX_BATCH_ROWS) return found;
    from = last.span_row_id + 1;
  }
}

function span(a: Starts, b: Starts | undefined): Starts {
  if (b === undefined) return a;
  return { minStartUs: Math.min(a.minStartUs, b.minStartUs), maxStartUs: Math.max(a.maxStartUs, b.maxStartUs) };
}

function boundsOf(
  { startTimeUs = -Infinity, endTimeUs = Infinity }: BatchScope,
  head: SegmentHead | null,
  changes: Changes | undefined,
  { segment, ...range }: RowIdRange & { readonly segment: number },
): RestOfBatches {
  const own = rowIdsOf(segment);
  const minRowId = Math.max(own.firstRowId, range.firstRowId);
  const maxRowId = Math.min(own.endRowId, range.endRowId) - 1;
  const rowCount = maxRowId - minRowId + 1;
  const all = { rowCount, minRowId, maxRowId, minStartUs: startTimeUs, maxStartUs: endTimeUs - 1 };
  if (head === null) return all;
  const sealed = { minStartUs: head.minStartUs ?? Infinity, maxStartUs: head.maxStartUs ?? -Infinity };
  const { minStartUs, maxStartUs } = span(sealed, changes?.matching);
  return {
    ...all,
    rowCount: Math.min(rowCount, head.rowCount),
    minStartUs: Math.max(minStartUs, all.minStartUs),
    maxStartUs: Math.min(maxStartUs, all.maxStartUs),
  };
}

/** The stretches in the order in which they are read. */
export function arrange(stretches: readonly Stretch[], order: BatchOrder): readonly Stretch[] {
  switch (order) {
    case 'arrival asc':
      return stretches;
    case 'start asc':
      return stretches.toSorted((a, b) => compare(a.bounds.minStartUs, b.bounds.minStartUs));
    case 'arrival desc':
      return stretches.toReversed();
    case 'start desc':
      // Of those of which nothing is known, what came last is likely to be newest.
      return stretches.toReversed().toSorted((a, b) => compare(b.bounds.maxStartUs, a.bounds.maxStartUs));
  }
}

/** Infinities are equal, which their difference does not say. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** What comes after each of the stretches. */
export function restsOf(stretches: readonly Stretch[]): readonly (RestOfBatches | null)[] {
  const rests: (RestOfBatches | null)[] = [];
  let rest: RestOfBatches | null = null;
  for (const { bounds } of stretches.toReversed()) {
    rests.push(rest);
    rest = rest === null ? bounds : joinRests(bounds, rest);
  }
  return rests.reverse();
}

/** Bounds of both. */
export function joinRests(a: RestOfBatches, b: RestOfBatches): RestOfBatches {
  return {
    rowCount: a.rowCount + b.rowCount,
    minStartUs: Math.min(a.minStartUs, b.minStartUs),
    maxStartUs: Math.max(a.maxStartUs, b.maxStartUs),
    minRowId: Math.min(a.minRowId, b.minRowId),
    maxRowId: Math.max(a.maxRowId, b.maxRowId),
  };
}
