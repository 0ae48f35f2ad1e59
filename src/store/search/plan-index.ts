/**
 * What the search index takes in next, worked out in a reader's thread: spans that arrived, spans that changed or were
 * deleted, and what is left of a pass over everything.
 */
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { IndexStep, type PartTimes, type StepBounds } from './index-step.ts';
import { findMending, type Mending } from './mend-parts.ts';
import { readSearchProgress, type SearchProgress } from '../texts/progress.ts';
import type { SpanTextsRow } from './trace-texts.ts';
import { planErasure, type SegmentChange } from '../words/segment-changes.ts';

/** What is to be written in one transaction, if things are still as they were. */
export interface IndexPlan {
  /** As it was. */
  readonly before: Pick<SearchProgress, 'nextRowId' | 'rebuild' | 'nextSegment'>;
  /** As it will be. */
  readonly after: Pick<SearchProgress, 'nextRowId' | 'rebuild'>;
  /** Whether it makes damaged parts whole. */
  readonly isMending: boolean;
  /** Suspected parts that are whole with it. */
  readonly clearedParts: readonly number[];
  /** Entries of the queue up to this one are done; 0 for none. */
  readonly lastQueuedId: number;
  readonly rows: readonly SpanTextsRow[];
  readonly removedRowIds: readonly number[];
  readonly times: readonly PartTimes[];
  readonly segments: readonly SegmentChange[];
  /** Spans that were looked at. */
  readonly spanCount: number;
  /** Spans that cannot be read. */
  readonly failedCount: number;
  /** Characters that are indexed. */
  readonly characterCount: number;
  /** What waits once this is done: all arrivals and changes, and what is left of a pass. */
  readonly pendingCount: number;
  readonly hasMore: boolean;
}

/** The next step; `undefined` where there is nothing to do. Index: primary keys, search_spans_of_trace. */
export async function planIndex(scope: ReadScope, bounds: StepBounds): Promise<IndexPlan | undefined> {
  const { db } = scope;
  const progress = await readSearchProgress(db);
  const queued = await db
    .selectFrom('search_queue')
    .select(['id', 'span_row_id'])
    .orderBy('id')
    .limit(bounds.changedCount)
    .execute();
  const again = progress.rebuild;
  using step = new IndexStep(scope, bounds, progress.nextSegment);
  if (queued.length === 0 && progress.nextRowId >= progress.endRowId) {
    const mending = await findMending(scope, bounds.milliseconds);
    if (mending !== undefined) return await planMending(step, progress, mending);
    if (again === null) return bounds.mayMerge ? await planTidying(scope, progress) : undefined;
  }
  // Those that were not indexed yet are indexed as they are now when it is their turn.
  const isIndexed = (rowId: number) => rowId < progress.nextRowId;
  const changed = [...new Set(queued.map((row) => row.span_row_id).filter(isIndexed))];
  const done = new Set(changed.slice(0, await step.takeIn(changed)));
  const left = queued.findIndex((row) => isIndexed(row.span_row_id) && !done.has(row.span_row_id));
  const doneQueued = left === -1 ? queued : queued.slice(0, left);
  const nextRowId = await takeStretch(step, { ...progress, limit: bounds.arrivedCount });
  const hasArrivals = nextRowId < progress.endRowId;
  const rebuildRowId =
    again === null || hasArrivals
      ? again?.nextRowId
      : await takeStretch(step, { ...again, limit: bounds.changedCount, isAnew: true });
  const rebuild =
    again === null || rebuildRowId === undefined || rebuildRowId >= again.endRowId
      ? null
      : { nextRowId: rebuildRowId, endRowId: again.endRowId };
  const isQueueDone = doneQueued.length === queued.length && queued.length < bounds.changedCount;
  return {
    ...(await step.content()),
    before: progress,
    after: { nextRowId, rebuild },
    lastQueuedId: doneQueued.at(-1)?.id ?? 0,
    pendingCount: progress.endRowId - nextRowId + Math.max(progress.queuedCount - doneQueued.length, 0),
    hasMore: hasArrivals || !isQueueDone || rebuild !== null,
    isMending: false,
    clearedParts: [],
  };
}

/** When nothing waits, damaged parts are made whole; a pass over everything goes on after that. */
async function planMending(
  step: IndexStep,
  before: SearchProgress,
  { clearedParts, segments, spanRowIds }: Mending,
): Promise<IndexPlan> {
  await step.takeIn(spanRowIds, true);
  const content = await step.content();
  return {
    ...content,
    segments: [...segments, ...content.segments],
    before,
    after: before,
    isMending: true,
    clearedParts,
    lastQueuedId: 0,
    pendingCount: 0,
    hasMore: true,
  };
}

/** And words of deleted spans are erased. */
async function planTidying(scope: ReadScope, before: SearchProgress): Promise<IndexPlan | undefined> {
  const segment = await planErasure(scope, before.nextSegment);
  if (segment === undefined) return undefined;
  return {
    ...NO_CONTENT,
    segments: [segment],
    before,
    after: before,
    isMending: false,
    clearedParts: [],
    lastQueuedId: 0,
    pendingCount: 0,
    hasMore: true,
  };
}

const NO_CONTENT = {
  rows: [],
  removedRowIds: [],
  times: [],
  spanCount: 0,
  failedCount: 0,
  characterCount: 0,
};

/** Takes in spans of a stretch of row ids, at most so many; returns where it goes on. */
async function takeStretch(
  step: IndexStep,
  {
    nextRowId,
    endRowId,
    limit,
    isAnew = false,
  }: { readonly nextRowId: number; readonly endRowId: number; readonly limit: number; readonly isAnew?: boolean },
): Promise<number> {
  if (step.isFull) return nextRowId;
  const rowIds = await step.selectStretch(nextRowId, endRowId, limit);
  const takenCount = await step.takeIn(rowIds, isAnew);
  if (takenCount === rowIds.length && rowIds.length < limit) return endRowId;
  return (rowIds[takenCount - 1] ?? nextRowId - 1) + 1;
}
