import { AppError } from '#base/errors';
import type { AnnotationQueue } from '#domain/annotation-queue';
import type { RecordScope } from '#store/commands/command';
import { keepRows } from '#store/records/keep-rows';
import { findQueues } from '../queries.ts';

/** A queue, which neither goes nor changes before the transaction ends; nor does anybody else hold or review its items. @throws AppError `not_found` */
export async function lockQueue(scope: RecordScope, rowId: number): Promise<AnnotationQueue> {
  await scope.lock(`annotation_queue ${rowId}`);
  await keepRows(scope, 'annotation_queues', [rowId]);
  const queue = (await findQueues(scope, [rowId])).get(rowId);
  if (queue === undefined) throw new AppError('not_found', 'There is no such review queue.');
  return queue;
}
