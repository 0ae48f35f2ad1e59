/**
 * Holding items and reviewing them. The lock of the queue is taken first, so that two people never get the same item. None of this is
 * in the log of who did what: holds end by themselves, and reviews say themselves whose they are and when they were made.
 */
import { AppError } from '#base/errors';
import {
  accountOfReviewer,
  type AnnotationQueue,
  holderOfItem,
  noSuchItem,
  type QueueItem,
  type QueueOutcome,
  type Reviewer,
  reviewerOf,
} from '#domain/annotation-queue';
import type { Caller } from '#domain/caller';
import { isTargetShown } from '#store/records/shown-target';
import type { RecordScope } from '#store/commands/command';
import { keepAccount } from '#store/records/keep-account';
import { findItems, ITEM_COLUMNS, toItem } from '../queries.ts';
import { findNextItem } from './next-item.ts';
import { lockQueue } from './lock-queue.ts';

/** Who asks, where authentication does not tell. */
interface Holding {
  /** The key that a browser chose for itself. */
  readonly holder: string | null;
}

/** What a reviewer holds now. */
export interface HeldItem {
  readonly queueRowId: number;
  /** `null` where nothing is left for the reviewer. */
  readonly itemRowId: number | null;
}

/** Holds an item, or else the next one. @throws AppError `invalid_argument`, `not_found`; `failed_precondition` where another reviewer holds it, or it is done without the caller */
export async function holdItem(
  scope: RecordScope,
  caller: Caller,
  { queueRowId, itemRowId, holder }: Holding & { readonly queueRowId: number; readonly itemRowId: number | null },
): Promise<HeldItem> {
  const reviewer = reviewerOf(caller, holder);
  await keepAccount(scope, reviewer.userRowId);
  const queue = await lockQueue(scope, queueRowId);
  if (itemRowId === null) return holdNext(scope, queue, reviewer);
  const item = (await findItems(scope, [itemRowId])).get(itemRowId);
  if (item?.queueRowId !== queueRowId) throw noSuchItem();
  await assertNotHeldByOther(scope, item, reviewer, 'Open another item, or try again later.');
  await assertWanted(scope, item, reviewer);
  if (!(await isShown(scope, item))) throw new AppError('not_found', 'The row of this item was deleted.');
  return hold(scope, queue, item, reviewer);
}

/** Ends the hold of the caller; nothing happens where there is none. @throws AppError `invalid_argument`, `not_found` */
export async function releaseItem(
  scope: RecordScope,
  caller: Caller,
  { itemRowId, holder }: Holding & { readonly itemRowId: number },
): Promise<QueueItem> {
  const reviewer = reviewerOf(caller, holder);
  const { item } = await lockItem(scope, itemRowId);
  if (item.heldBy !== reviewer.key) return item;
  const query = scope.db.updateTable('annotation_queue_items').set(UNHELD).where('id', '=', itemRowId);
  return toItem(await query.returning(ITEM_COLUMNS).executeTakeFirstOrThrow());
}

/**
 * Completes or skips an item that the caller holds, and holds the next one. Saying the same again changes nothing.
 * @throws AppError `invalid_argument`, `not_found`; `failed_precondition` where the caller does not hold the item
 */
export async function reviewItem(
  scope: RecordScope,
  caller: Caller,
  { itemRowId, outcome, holder }: Holding & { readonly itemRowId: number; readonly outcome: QueueOutcome },
): Promise<HeldItem> {
  const reviewer = reviewerOf(caller, holder);
  await keepAccount(scope, reviewer.userRowId);
  const { queue, item } = await lockItem(scope, itemRowId);
  if (item.heldBy === reviewer.key) {
    await storeReview(scope, item, reviewer, outcome);
    await countReviews(scope, queue, itemRowId);
  } else if ((await findOutcome(scope, itemRowId, reviewer)) !== outcome) {
    await assertNotHeldByOther(scope, item, reviewer, 'Your hold is over: open another item.');
    throw new AppError('failed_precondition', 'You do not hold this item: open it again, then review it.');
  }
  return holdNext(scope, queue, reviewer);
}

const UNHELD = { held_by: null, held_until_us: 0 } as const;

const US_PER_MINUTE = 60_000_000;

async function holdNext(scope: RecordScope, queue: AnnotationQueue, reviewer: Reviewer): Promise<HeldItem> {
  const next = await findNextItem(scope, queue, reviewer.key);
  return next === undefined ? { queueRowId: queue.rowId, itemRowId: null } : hold(scope, queue, next, reviewer);
}

async function hold(
  { db, nowUs }: RecordScope,
  queue: AnnotationQueue,
  { rowId: itemRowId }: QueueItem,
  { key }: Reviewer,
): Promise<HeldItem> {
  await db
    .updateTable('annotation_queue_items')
    .set({ held_by: key, held_until_us: nowUs + queue.holdMinutes * US_PER_MINUTE })
    .where('id', '=', itemRowId)
    .execute();
  return { queueRowId: queue.rowId, itemRowId };
}

/** A review that nobody waits for would count; one's own can be looked at again. @throws AppError `failed_precondition` */
async function assertWanted(scope: RecordScope, item: QueueItem, reviewer: Reviewer): Promise<void> {
  if (!item.isDone || (await findOutcome(scope, item.rowId, reviewer)) !== undefined) return;
  throw new AppError('failed_precondition', 'This item has all the reviews that it needs: open another item.');
}

/** An item, and its queue with its lock. @throws AppError `not_found` */
async function lockItem(
  scope: RecordScope,
  itemRowId: number,
): Promise<{ readonly queue: AnnotationQueue; readonly item: QueueItem }> {
  const found = (await findItems(scope, [itemRowId])).get(itemRowId);
  if (found === undefined) throw noSuchItem();
  const queue = await lockQueue(scope, found.queueRowId);
  // Again: somebody may have had the lock.
  const item = (await findItems(scope, [itemRowId])).get(itemRowId);
  if (item === undefined) throw noSuchItem();
  return { queue, item };
}

async function assertNotHeldByOther(
  scope: RecordScope,
  item: QueueItem,
  reviewer: Reviewer,
  advice: string,
): Promise<void> {
  const other = holderOfItem(item, scope.nowUs);
  if (other === null || other === reviewer.key) return;
  const who = await nameOf(scope, other);
  const until = new Date(item.heldUntilUs / 1000).toISOString();
  throw new AppError('failed_precondition', `${who} holds this item until ${until}. ${advice}`);
}

/** What others are told of a reviewer. */
async function nameOf({ db }: RecordScope, reviewer: string): Promise<string> {
  const rowId = accountOfReviewer(reviewer);
  const query = db
    .selectFrom('users')
    .select('username')
    .where('id', '=', rowId ?? 0);
  return (await query.executeTakeFirst())?.username ?? 'Another reviewer';
}

async function isShown({ db }: RecordScope, { rowId, target }: QueueItem): Promise<boolean> {
  const items = db.selectFrom('annotation_queue_items').select('id').where('id', '=', rowId);
  const row = await items.where(isTargetShown(target, 'annotation_queue_items.target_row_id')).executeTakeFirst();
  return row !== undefined;
}

async function findOutcome(
  { db }: RecordScope,
  itemRowId: number,
  { key }: Reviewer,
): Promise<QueueOutcome | undefined> {
  const reviews = db.selectFrom('annotation_queue_reviews').select('outcome').where('item_id', '=', itemRowId);
  return (await reviews.where('reviewer', '=', key).executeTakeFirst())?.outcome;
}

async function storeReview(
  { db, nowUs }: RecordScope,
  { rowId, queueRowId }: QueueItem,
  { key, userRowId }: Reviewer,
  outcome: QueueOutcome,
): Promise<void> {
  const review = { user_id: userRowId, outcome, at_us: nowUs };
  await db
    .insertInto('annotation_queue_reviews')
    .values({ item_id: rowId, reviewer: key, queue_id: queueRowId, ...review })
    .onConflict((conflict) => conflict.columns(['item_id', 'reviewer']).doUpdateSet(review))
    .execute();
}

/** Counts from the reviews, whatever they said before; nobody holds the item any longer. */
async function countReviews({ db }: RecordScope, queue: AnnotationQueue, itemRowId: number): Promise<void> {
  const { count } = await db
    .selectFrom('annotation_queue_reviews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('item_id', '=', itemRowId)
    .where('outcome', '=', 'completed')
    .executeTakeFirstOrThrow();
  const isDone = Number(count) >= queue.reviewsPerItem ? 1 : 0;
  await db
    .updateTable('annotation_queue_items')
    .set({ ...UNHELD, completed_count: Number(count), is_done: isDone })
    .where('id', '=', itemRowId)
    .execute();
  const reviews = db.updateTable('annotation_queue_reviews').set({ item_is_done: isDone });
  await reviews.where('item_id', '=', itemRowId).execute();
}
