import { addQueueItems, readNextRowId } from '../annotations/write/queue-items.ts';
import type { RecordHandle } from '../records/hooks.ts';
import type { RuleStep } from './find-for-queues.ts';

/**
 * Adds what a step of a rule found, and gives whether the rule has more to look at. After the last step the rule goes on, at its next
 * look, with what has arrived by now. Nothing happens where the rule is gone, or is not where the step began.
 */
export async function applyRuleStep(
  scope: RecordHandle,
  { ruleRowId, afterRowId, upToRowId, rowIds, error }: RuleStep,
  nowUs: number,
): Promise<boolean> {
  const { db } = scope;
  const rule = await db
    .selectFrom('annotation_queue_rules')
    .innerJoin('annotation_queues', 'annotation_queues.id', 'queue_id')
    .select(['queue_id', 'project_id', 'target', 'before_row_id'])
    .where('annotation_queue_rules.id', '=', ruleRowId)
    .where('after_row_id', '=', afterRowId)
    .executeTakeFirst();
  if (rule === undefined) return false;
  const { queue_id: queueRowId, project_id: projectRowId, target, before_row_id: beforeRowId } = rule;
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
