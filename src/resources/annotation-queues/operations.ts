/** What clients ask of review queues, in the words of either interface. */
import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import type { AnnotationQueue } from '#domain/annotation-queue';
import type { Caller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import { readFilter } from '../filters/operations.ts';
import type { Services } from '../slice.ts';
import type { AnnotationQueueCommands, NewRule } from './commands.ts';
import { findQueueNamed, findQueues } from './queries.ts';

type Commands = CommandCalls<AnnotationQueueCommands>;

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
export async function deleteQueue(caller: Caller, commands: Commands, rowId: number): Promise<AnnotationQueue> {
  let isMore = true;
  while (isMore) isMore = await commands.clear(caller, rowId);
  return commands.delete(caller, rowId);
}

/** Adds a rule; a filter with a mistake is refused now. @throws AppError `invalid_argument`, `not_found`, `failed_precondition` */
export async function addRule(
  caller: Caller,
  { read, commands }: { readonly read: Services['readPrimary']; readonly commands: Commands },
  rule: NewRule,
): Promise<AnnotationQueue> {
  const queue = (await findQueues(read(caller), [rule.queueRowId])).get(rule.queueRowId);
  if (queue !== undefined) readFilter(queue.target, rule.filter);
  return commands.addRule(caller, rule);
}
