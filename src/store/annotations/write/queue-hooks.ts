/** What becomes of items of review queues when their rows go or join others. */
import type { QueueTarget } from '#domain/annotation-queue';
import type { JoinedSession, RecordHandle, RecordHooks } from '../../records/hooks.ts';

/** The hooks of queues. Index: annotation_queue_items_of_target. */
export const queueHooks: RecordHooks = {
  async onErased(scope, { traceRowIds, spanRowIds, sessionRowIds }) {
    await remove(scope, 'span', spanRowIds);
    await remove(scope, 'trace', traceRowIds);
    await remove(scope, 'session', sessionRowIds);
  },
  // An item does not say where its row is, so only sessions that end are of interest.
  async onMoved(scope, { sessions }) {
    for (const session of sessions) await join(scope, session);
  },
};

async function remove({ db, dialect }: RecordHandle, target: QueueTarget, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return;
  await db
    .deleteFrom('annotation_queue_items')
    .where('target', '=', target)
    .where('target_row_id', 'in', dialect.numbersOf(rowIds))
    .execute();
}

/** Where the other session has an item in the queue, that stays as it is. */
async function join({ db, dialect }: RecordHandle, { rowId, intoRowId }: JoinedSession): Promise<void> {
  const queuesOf = (sessionRowId: number) =>
    db
      .selectFrom('annotation_queue_items')
      .select('queue_id')
      .where('target', '=', 'session')
      .where('target_row_id', '=', sessionRowId);
  await db
    .updateTable('annotation_queue_items')
    .set({ target_row_id: intoRowId })
    .where('target', '=', 'session')
    .where('target_row_id', '=', rowId)
    .where('queue_id', 'not in', queuesOf(intoRowId))
    .execute();
  await remove({ db, dialect }, 'session', [rowId]);
}
