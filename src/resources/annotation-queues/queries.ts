/** Reads review queues, their items and their reviews. Counts come from indexes. */
import { sql } from 'kysely';
import type { OffsetWindow } from '#api/graphql/connection';
import type { AnnotationConfig } from '#domain/annotation-config';
import {
  accountOfReviewer,
  type AnnotationQueue,
  type ItemState,
  type NamedTarget,
  type QueueItem,
  type QueueProgress,
  type QueueReview,
  type QueueRule,
  type QueueTarget,
} from '#domain/annotation-queue';
import { CONFIG_COLUMNS, toConfig } from '#store/annotations/config-rows';
import { isInProject, isSpanInProject } from '#store/spans/rows/visible';
import type { ReadHandle } from '../slice.ts';

/** What a queue is read from. */
export const QUEUE_COLUMNS = [
  'id as rowId',
  'name',
  'description',
  'instructions',
  'target',
  'reviews_per_item as reviewsPerItem',
  'is_blind as isBlind',
  'hold_minutes as holdMinutes',
  'created_by_id as createdByRowId',
  'created_at_us as createdAtUs',
  'updated_at_us as updatedAtUs',
] as const;

/** The queue of such a row. */
export function toQueue(row: Omit<AnnotationQueue, 'isBlind'> & { readonly isBlind: number }): AnnotationQueue {
  return { ...row, isBlind: row.isBlind === 1 };
}

/** What an item is read from. */
export const ITEM_COLUMNS = [
  'id as rowId',
  'queue_id as queueRowId',
  'target',
  'target_row_id as targetRowId',
  'completed_count as completedCount',
  'is_done as isDone',
  'held_by as heldBy',
  'held_until_us as heldUntilUs',
  'added_by_id as addedByRowId',
  'added_at_us as addedAtUs',
] as const;

/** The item of such a row. */
export function toItem(row: Omit<QueueItem, 'isDone'> & { readonly isDone: number }): QueueItem {
  return { ...row, isDone: row.isDone === 1 };
}

const RULE_COLUMNS = [
  'id as rowId',
  'queue_id as queueRowId',
  'project_id as projectRowId',
  'filter',
  'sample_percent as samplePercent',
  'added_count as addedCount',
  'error',
  'created_at_us as createdAtUs',
] as const;

const REVIEW_COLUMNS = [
  'item_id as itemRowId',
  'reviewer',
  'user_id as userRowId',
  'outcome',
  'at_us as atUs',
] as const;

/** How many queues there are. */
export async function countQueues({ db }: Pick<ReadHandle, 'db'>): Promise<number> {
  const query = db.selectFrom('annotation_queues').select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** By name. Index: annotation_queues_by_name. */
export async function browseQueues(
  { db }: Pick<ReadHandle, 'db'>,
  { offset, limit }: OffsetWindow,
): Promise<readonly AnnotationQueue[]> {
  const query = db.selectFrom('annotation_queues').select(QUEUE_COLUMNS).orderBy('name').limit(limit).offset(offset);
  return (await query.execute()).map(toQueue);
}

/** Newest first, from that row on. Index: primary key. */
export async function listQueues(
  { db }: Pick<ReadHandle, 'db'>,
  { fromRowId, limit }: { readonly fromRowId: number | null; readonly limit: number },
): Promise<readonly AnnotationQueue[]> {
  let query = db.selectFrom('annotation_queues').select(QUEUE_COLUMNS).orderBy('id', 'desc').limit(limit);
  if (fromRowId !== null) query = query.where('id', '<=', fromRowId);
  return (await query.execute()).map(toQueue);
}

/** By row id. Index: primary key. */
export async function findQueues(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, AnnotationQueue>> {
  const query = db.selectFrom('annotation_queues').select(QUEUE_COLUMNS).where('id', 'in', dialect.numbersOf(rowIds));
  return byRowId((await query.execute()).map(toQueue));
}

/** By name. Index: annotation_queues_by_name. */
export async function findQueueNamed(
  { db }: Pick<ReadHandle, 'db'>,
  name: string,
): Promise<AnnotationQueue | undefined> {
  const query = db.selectFrom('annotation_queues').select(QUEUE_COLUMNS).where('name', '=', name);
  const row = await query.executeTakeFirst();
  return row && toQueue(row);
}

/** What each queue asks, in its order. Index: the primary key of the assignments. */
export async function findConfigsOfQueues(
  { db, dialect }: ReadHandle,
  queueRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly AnnotationConfig[]>> {
  const rows = await db
    .selectFrom('annotation_queue_configs')
    .innerJoin('annotation_configs', 'annotation_configs.id', 'config_id')
    .select(CONFIG_COLUMNS)
    .select('queue_id')
    .where('queue_id', 'in', dialect.numbersOf(queueRowIds))
    .orderBy('position')
    .execute();
  const byQueue = Map.groupBy(rows, ({ queue_id }) => queue_id);
  return new Map([...byQueue].map(([rowId, own]) => [rowId, own.map(toConfig)]));
}

/** By row id. Index: primary key. */
export async function findRules(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, QueueRule>> {
  const query = db.selectFrom('annotation_queue_rules').select(RULE_COLUMNS);
  return byRowId(await query.where('id', 'in', dialect.numbersOf(rowIds)).execute());
}

/** The rules of each queue, oldest first. Index: annotation_queue_rules_of_queue. */
export async function findRulesOfQueues(
  { db, dialect }: ReadHandle,
  queueRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly QueueRule[]>> {
  const query = db.selectFrom('annotation_queue_rules').select(RULE_COLUMNS);
  const rows = await query.where('queue_id', 'in', dialect.numbersOf(queueRowIds)).orderBy('id').execute();
  return Map.groupBy(rows, ({ queueRowId }) => queueRowId);
}

/** By row id. Index: primary key. */
export async function findItems(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, QueueItem>> {
  const query = db.selectFrom('annotation_queue_items').select(ITEM_COLUMNS);
  return byRowId((await query.where('id', 'in', dialect.numbersOf(rowIds)).execute()).map(toItem));
}

/** Which items of a queue. */
export interface ItemPage {
  readonly queueRowId: number;
  /** All without it. */
  readonly state?: ItemState | undefined;
  readonly afterRowId: number;
  readonly limit: number;
}

/** In the order of the queue. Index: the primary key, annotation_queue_items_by_state; of held ones annotation_queue_items_held. */
export async function listItems(
  { db, dialect }: ReadHandle,
  { queueRowId, state, afterRowId, limit }: ItemPage,
  nowUs: number,
): Promise<readonly QueueItem[]> {
  const ofQueue = db.selectFrom('annotation_queue_items').select(ITEM_COLUMNS).where('queue_id', '=', queueRowId);
  const page = () => ofQueue.where('id', '>', afterRowId).orderBy('id').limit(limit);
  if (state === 'held') {
    const held = ofQueue.where('held_by', 'is not', null).where(dialect.unindexed('id'), '>', afterRowId);
    const rows = await held
      .where(dialect.unindexed('is_done'), '=', 0)
      .where('held_until_us', '>', nowUs)
      .orderBy(dialect.unindexed('id'))
      .limit(limit)
      .execute();
    return rows.map(toItem);
  }
  if (state === 'done') return (await page().where('is_done', '=', 1).execute()).map(toItem);
  if (state === 'waiting') {
    return (await page().where('is_done', '=', 0).where('held_until_us', '<=', nowUs).execute()).map(toItem);
  }
  const [open, done] = await Promise.all([
    page().where('is_done', '=', 0).execute(),
    page().where('is_done', '=', 1).execute(),
  ]);
  const rows = [...open, ...done].toSorted((a, b) => a.rowId - b.rowId);
  return rows.slice(0, limit).map(toItem);
}

/** How far queues are; those without items are left out. Index: annotation_queue_items_by_state, annotation_queue_items_held. */
export async function findProgress(
  { db, dialect }: ReadHandle,
  queueRowIds: readonly number[],
  nowUs: number,
): Promise<ReadonlyMap<number, QueueProgress>> {
  const items = db.selectFrom('annotation_queue_items').where('queue_id', 'in', dialect.numbersOf(queueRowIds));
  const [counts, held] = await Promise.all([
    items
      .select(['queue_id', 'is_done', sql<number>`count(*)`.as('count')])
      .groupBy(['queue_id', 'is_done'])
      .execute(),
    items
      .select(['queue_id', sql<number>`count(*)`.as('count')])
      .where('held_by', 'is not', null)
      .where(dialect.unindexed('is_done'), '=', 0)
      .where('held_until_us', '>', nowUs)
      .groupBy('queue_id')
      .execute(),
  ]);
  const heldOf = new Map(held.map(({ queue_id, count }) => [queue_id, Number(count)]));
  const progress = new Map<number, QueueProgress>();
  for (const { queue_id: queueRowId, is_done, count } of counts) {
    const { itemCount = 0, doneCount = 0 } = progress.get(queueRowId) ?? {};
    progress.set(queueRowId, {
      queueRowId,
      itemCount: itemCount + Number(count),
      doneCount: doneCount + (is_done === 1 ? Number(count) : 0),
      heldCount: heldOf.get(queueRowId) ?? 0,
    });
  }
  return progress;
}

/** How many items that are not done a reviewer has reviewed, by queue. Index: annotation_queue_reviews_of_reviewer. */
export async function countReviewedOpen(
  { db, dialect }: ReadHandle,
  queueRowIds: readonly number[],
  reviewer: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('annotation_queue_reviews')
    .select(['queue_id', sql<number>`count(*)`.as('count')])
    .where('queue_id', 'in', dialect.numbersOf(queueRowIds))
    .where('reviewer', '=', reviewer)
    .where('item_is_done', '=', 0)
    .groupBy('queue_id')
    .execute();
  return new Map(rows.map(({ queue_id, count }) => [queue_id, Number(count)]));
}

/** What one person has done in a queue. */
export interface QueueReviewer {
  readonly queueRowId: number;
  /** `null` once the account is deleted, and for reviewers without one. */
  readonly userRowId: number | null;
  readonly completedCount: number;
  readonly skippedCount: number;
  readonly lastAtUs: number;
}

/** Who has reviewed, most reviews first, so many for each queue. Index: annotation_queue_reviews_of_reviewer. */
export async function findReviewersOfQueues(
  { db, dialect }: ReadHandle,
  queueRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly QueueReviewer[]>> {
  const rows = await db
    .selectFrom('annotation_queue_reviews')
    .select([
      'queue_id as queueRowId',
      'reviewer',
      sql<number>`sum(CASE WHEN outcome = 'completed' THEN 1 ELSE 0 END)`.as('completed'),
      sql<number>`count(*)`.as('all'),
      sql<number>`max(at_us)`.as('last'),
    ])
    .where('queue_id', 'in', dialect.numbersOf(queueRowIds))
    .groupBy(['queue_id', 'reviewer'])
    .orderBy('all', 'desc')
    .orderBy('reviewer')
    .execute();
  const found = new Map<number, QueueReviewer[]>();
  for (const { queueRowId, reviewer, completed, all, last } of rows) {
    const ofQueue = found.get(queueRowId) ?? [];
    found.set(queueRowId, ofQueue);
    if (ofQueue.length >= MAX_REVIEWERS) continue;
    const counts = { completedCount: Number(completed), skippedCount: Number(all) - Number(completed) };
    ofQueue.push({ queueRowId, userRowId: accountOfReviewer(reviewer), ...counts, lastAtUs: Number(last) });
  }
  return found;
}

/** Of one queue, in one answer. */
const MAX_REVIEWERS = 100;

/** The reviews of each item, oldest first. Index: primary key. */
export async function findReviewsOfItems(
  { db, dialect }: ReadHandle,
  itemRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly QueueReview[]>> {
  const query = db.selectFrom('annotation_queue_reviews').select(REVIEW_COLUMNS);
  const rows = await query.where('item_id', 'in', dialect.numbersOf(itemRowIds)).orderBy('at_us').execute();
  return Map.groupBy(rows, ({ itemRowId }) => itemRowId);
}

/** Those of the rows that are shown. Index: primary keys. */
export async function findNamedTargets(
  { db, dialect }: ReadHandle,
  target: QueueTarget,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, NamedTarget>> {
  const wanted = dialect.numbersOf(rowIds);
  if (target === 'session') {
    const sessions = db
      .selectFrom('sessions')
      .select(['id as rowId', 'project_id as projectRowId', 'session_id as key']);
    return byRowId(await sessions.where('id', 'in', wanted).where(isInProject('sessions')).execute());
  }
  if (target === 'trace') {
    const traces = db.selectFrom('traces').select(['id as rowId', 'project_id as projectRowId', 'trace_id as key']);
    return byRowId(await traces.where('id', 'in', wanted).where(isInProject('traces')).execute());
  }
  const spans = db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select(['spans.id as rowId', 'traces.project_id as projectRowId', 'spans.span_id as key']);
  return byRowId(await spans.where('spans.id', 'in', wanted).where(isSpanInProject).execute());
}

function byRowId<Row extends { readonly rowId: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.rowId, row]));
}
