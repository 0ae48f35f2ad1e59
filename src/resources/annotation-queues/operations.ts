/** What clients ask of review queues, in the words of either interface. */
import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import type { AnnotationQueue, ItemDetails, NewRule, QueueDetails, QueueItem } from '#domain/annotation-queue';
import type { Caller } from '#domain/caller';
import { readFilter } from '../filters/operations.ts';
import type { ReadHandle, Services } from '../slice.ts';
import {
  findConfigsOfQueues,
  findNamedTargets,
  findProgress,
  findQueueNamed,
  findQueues,
  findReviewsOfItems,
  findRulesOfQueues,
} from './queries.ts';

/** The commands that operations give their work to. */
export interface QueueCalls {
  clear(caller: Caller, rowId: number): Promise<boolean>;
  delete(caller: Caller, rowId: number): Promise<AnnotationQueue>;
  addRule(caller: Caller, rule: NewRule): Promise<AnnotationQueue>;
}

/** The queue of an id or, where the text is none, of exactly that name. @throws AppError `not_found` */
export async function getQueue(
  caller: Caller,
  read: Services['readPrimary'],
  identifier: string,
): Promise<AnnotationQueue> {
  const rowId = parseGlobalId('AnnotationQueue', identifier);
  const handle = read(caller);
  const queue =
    rowId === undefined ? await findQueueNamed(handle, identifier) : (await findQueues(handle, [rowId])).get(rowId);
  if (queue === undefined) throw new AppError('not_found', `There is no review queue ${identifier}.`);
  return queue;
}

/** Deletes a queue, its items some at a time. @throws AppError `not_found` */
export async function deleteQueue(caller: Caller, commands: QueueCalls, rowId: number): Promise<AnnotationQueue> {
  let isMore = true;
  while (isMore) isMore = await commands.clear(caller, rowId);
  return commands.delete(caller, rowId);
}

/** Adds a rule; a filter with a mistake is refused now. @throws AppError `invalid_argument`, `not_found`, `failed_precondition` */
export async function addRule(
  caller: Caller,
  { read, commands }: { readonly read: Services['readPrimary']; readonly commands: QueueCalls },
  rule: NewRule,
): Promise<AnnotationQueue> {
  const queue = (await findQueues(read(caller), [rule.queueRowId])).get(rule.queueRowId);
  if (queue !== undefined) readFilter(queue.target, rule.filter);
  return commands.addRule(caller, rule);
}

/** What belongs to queues, read for all of them at once. */
export async function readQueueDetails(
  handle: ReadHandle,
  queues: readonly AnnotationQueue[],
): Promise<readonly QueueDetails[]> {
  const rowIds = queues.map(({ rowId }) => rowId);
  const [configs, rules, progress] = await Promise.all([
    findConfigsOfQueues(handle, rowIds),
    findRulesOfQueues(handle, rowIds),
    findProgress(handle, rowIds, Date.now() * 1000),
  ]);
  return queues.map((queue) => ({
    queue,
    configs: configs.get(queue.rowId) ?? [],
    rules: rules.get(queue.rowId) ?? [],
    progress: progress.get(queue.rowId),
  }));
}

/** What belongs to items of one queue, read for all of them at once. */
export async function readItemDetails(
  handle: ReadHandle,
  items: readonly QueueItem[],
): Promise<readonly ItemDetails[]> {
  const [first] = items;
  if (first === undefined) return [];
  const targetRowIds = items.map(({ targetRowId }) => targetRowId);
  const rowIds = items.map(({ rowId }) => rowId);
  const [targets, reviews] = await Promise.all([
    findNamedTargets(handle, first.target, targetRowIds),
    findReviewsOfItems(handle, rowIds),
  ]);
  return items.map((item) => ({
    item,
    target: targets.get(item.targetRowId),
    reviews: reviews.get(item.rowId) ?? [],
  }));
}
