import type { Caller } from '#domain/caller';
import { addQueueItems } from '#store/annotations/write/queue-items';
import type { RecordScope } from '#store/commands/command';
import type { RuleStep } from '#store/retention/find-for-queues';
import { readNextRowId } from './next-row-id.ts';

/**
 * Adds what a step of a rule found, and gives whether the rule has more to look at. After the last step the rule goes on, at its next
 * look, with what has arrived by now. Nothing happens where the rule is gone, or is not where the step began.
 */
export async function applyRule(
  scope: RecordScope,
  _caller: Caller,
  { ruleRowId, afterRowId, upToRowId, rowIds, error }: RuleStep,
): Promise<boolean> {
  const { db, nowUs } = scope;
  const rule = await db
    .selectFrom('annotation_queue_rules')
    .innerJoin('annotation_queues', 'annotation_queues.id', 'queue_id')
    .select(['queue_id', 'project_id', 'target', 'before_row_id'])
    .where('annotation_queue_rules.id', '=', ruleRowId)
    .where('after_row_id', '=', afterRowId)
    .executeTakeFirst();
  if (rule === undefined) return false;
  const { queue_id: queueRowId, project_id: projectRowId, target, before_row_id: beforeRowId } = rule;
  // Rows before the queue, as erasing and adding by hand go.
  const added = await addQueueItems(scope, { queueRowId, target, projectRowId, rowIds }, nowUs);
  const isLast = upToRowId >= beforeRowId;
  const nextRowId = isLast ? await readNextRowId(scope, target) : beforeRowId;
  const { numUpdatedRows } = await db
    .updateTable('annotation_queue_rules')
    .set((row) => ({
      after_row_id: upToRowId,
      before_row_id: nextRowId,
      added_count: row('added_count', '+', added),
      error,
    }))
    .where('id', '=', ruleRowId)
    .executeTakeFirst();
  return numUpdatedRows > 0n && !isLast;
}
