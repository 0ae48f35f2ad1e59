/** Which item of a queue a reviewer gets. To be asked with the lock of the queue. */
import { type SqlBool, sql } from 'kysely';
import type { AnnotationQueue, QueueItem } from '#domain/annotation-queue';
import { isTargetShown } from '#store/records/shown-target';
import type { RecordScope } from '#store/commands/command';
import { ITEM_COLUMNS, toItem } from '../queries.ts';

type ReadScope = Pick<RecordScope, 'db' | 'dialect' | 'nowUs'>;

/**
 * The item that the reviewer holds already, or else the first that can be held after all that the reviewer has reviewed; behind the end
 * the search starts again at the start of the queue. It therefore passes over reviewed items only once nothing is left behind them. What
 * is hidden is passed over.
 */
export async function findNextItem(
  scope: ReadScope,
  queue: AnnotationQueue,
  reviewer: string,
): Promise<QueueItem | undefined> {
  const held = await findHeld(scope, queue, reviewer);
  if (held !== undefined) return held;
  const start = await findLastReviewed(scope, queue.rowId, reviewer);
  const behind = await findFree(scope, queue, reviewer, { afterRowId: start, upToRowId: Number.MAX_SAFE_INTEGER });
  return behind ?? findFree(scope, queue, reviewer, { afterRowId: 0, upToRowId: start });
}

/** Index: annotation_queue_items_held. */
async function findHeld(
  { db, dialect, nowUs }: ReadScope,
  { rowId, target }: AnnotationQueue,
  reviewer: string,
): Promise<QueueItem | undefined> {
  const row = await db
    .selectFrom('annotation_queue_items')
    .select(ITEM_COLUMNS)
    .where('queue_id', '=', rowId)
    .where('held_by', '=', reviewer)
    .where(dialect.unindexed('is_done'), '=', 0)
    .where('held_until_us', '>', nowUs)
    .where(isTargetShown(target, 'annotation_queue_items.target_row_id'))
    .orderBy('held_until_us', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toItem(row);
}

/** The last item of the queue that the reviewer has reviewed; 0 without any. Index: annotation_queue_reviews_of_reviewer. */
async function findLastReviewed({ db }: ReadScope, queueRowId: number, reviewer: string): Promise<number> {
  const lastOf = async (isDone: 0 | 1): Promise<number> => {
    const row = await db
      .selectFrom('annotation_queue_reviews')
      .select('item_id')
      .where('queue_id', '=', queueRowId)
      .where('reviewer', '=', reviewer)
      .where('item_is_done', '=', isDone)
      .orderBy('item_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.item_id ?? 0;
  };
  return Math.max(await lastOf(0), await lastOf(1));
}

interface Part {
  readonly afterRowId: number;
  readonly upToRowId: number;
}

/** Index: annotation_queue_items_by_state, the primary key of reviews. */
async function findFree(
  scope: ReadScope,
  queue: AnnotationQueue,
  reviewer: string,
  { afterRowId, upToRowId }: Part,
): Promise<QueueItem | undefined> {
  const { db } = scope;
  const rows = await db
    .selectFrom('annotation_queue_items as item')
    .select('item.id')
    .where('item.queue_id', '=', queue.rowId)
    .where('item.is_done', '=', 0)
    .where('item.id', '>', afterRowId)
    .where('item.id', '<=', upToRowId)
    .where(
      sql<SqlBool>`NOT EXISTS (SELECT 1 FROM annotation_queue_reviews AS review
        WHERE review.item_id = item.id AND review.reviewer = ${reviewer})`,
    )
    .orderBy('item.id')
    .limit(ITEMS_AT_ONCE)
    .execute();
  const rowIds = rows.map(({ id }) => id);
  const free = await findFirstFree(scope, queue, reviewer, rowIds);
  const last = rowIds.at(-1);
  if (free !== undefined || last === undefined || rowIds.length < ITEMS_AT_ONCE) return free;
  return findFree(scope, queue, reviewer, { afterRowId: last, upToRowId });
}

/** More than are held, and more than are hidden most of the time. */
const ITEMS_AT_ONCE = 50;

/** Of the items the first that nobody else holds, and whose row is shown. Index: primary keys. */
async function findFirstFree(
  { db, dialect, nowUs }: ReadScope,
  { target }: AnnotationQueue,
  reviewer: string,
  rowIds: readonly number[],
): Promise<QueueItem | undefined> {
  if (rowIds.length === 0) return undefined;
  const row = await db
    .selectFrom('annotation_queue_items')
    .select(ITEM_COLUMNS)
    .where('id', 'in', dialect.numbersOf(rowIds))
    .where((item) => item.or([item('held_until_us', '<=', nowUs), item('held_by', '=', reviewer)]))
    .where(isTargetShown(target, 'annotation_queue_items.target_row_id'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && toItem(row);
}
