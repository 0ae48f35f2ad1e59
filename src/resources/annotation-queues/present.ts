/** Review queues and their items as REST shows them. */
import { z } from 'zod';
import { formatGlobalId, type GlobalIdType } from '#base/global-id';
import {
  accountOfReviewer,
  holderOfItem,
  type ItemDetails,
  ITEM_STATES,
  QUEUE_OUTCOMES,
  type QueueDetails,
  type QueueTarget,
  stateOfItem,
} from '#domain/annotation-queue';
import { formatTimestamp } from '#domain/timestamp';
import { formatConfigId } from '../annotation-configs/present.ts';

/** What rows are called. */
export const ROW_NAMES = { span: 'spans', trace: 'traces', session: 'sessions' } as const satisfies Record<
  QueueTarget,
  string
>;

/** The form of a queue. */
export const ANNOTATION_QUEUE = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    instructions: z.string().nullable().describe('Markdown.'),
    rows: z.enum(['spans', 'traces', 'sessions']),
    reviews_per_item: z.number().int(),
    is_blind: z.boolean(),
    hold_minutes: z.number().int(),
    annotation_config_ids: z.array(z.string()).describe('What is asked, in this order.'),
    rules: z.array(
      z.object({
        id: z.string(),
        project_id: z.string(),
        filter: z.string().nullable(),
        sample_percent: z.number(),
        added_count: z.number().int(),
        error: z.string().nullable().describe('Why it adds nothing.'),
        created_at: z.string(),
      }),
    ),
    item_count: z.number().int(),
    done_count: z.number().int().describe('Items with as many complete reviews as the queue wants.'),
    held_count: z.number().int().describe('Items that somebody holds now, and that are not done.'),
    created_by_id: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'AnnotationQueue' });

/** A queue in that form. */
export function presentQueue({ queue, configs, rules, progress }: QueueDetails): z.output<typeof ANNOTATION_QUEUE> {
  const { itemCount = 0, doneCount = 0, heldCount = 0 } = progress ?? {};
  return {
    id: formatGlobalId('AnnotationQueue', queue.rowId),
    name: queue.name,
    description: queue.description,
    instructions: queue.instructions,
    rows: ROW_NAMES[queue.target],
    reviews_per_item: queue.reviewsPerItem,
    is_blind: queue.isBlind,
    hold_minutes: queue.holdMinutes,
    annotation_config_ids: configs.map(formatConfigId),
    rules: rules.map((rule) => ({
      id: formatGlobalId('AnnotationQueueRule', rule.rowId),
      project_id: formatGlobalId('Project', rule.projectRowId),
      filter: rule.filter,
      sample_percent: rule.samplePercent,
      added_count: rule.addedCount,
      error: rule.error,
      created_at: formatTimestamp(rule.createdAtUs),
    })),
    item_count: itemCount,
    done_count: doneCount,
    held_count: heldCount,
    created_by_id: formatUserId(queue.createdByRowId),
    created_at: formatTimestamp(queue.createdAtUs),
    updated_at: formatTimestamp(queue.updatedAtUs),
  };
}

/** The form of an item. */
export const ANNOTATION_QUEUE_ITEM = z
  .object({
    id: z.string(),
    queue_id: z.string(),
    target: z
      .object({
        id: z.string(),
        project_id: z.string(),
        span_id: z.string().optional(),
        trace_id: z.string().optional(),
        session_id: z.string().optional(),
      })
      .nullable()
      .describe('With the id that its sender gave it. Null where it was deleted and is about to be erased.'),
    state: z.enum(ITEM_STATES),
    completed_count: z.number().int().describe('Reviews that are complete.'),
    held_by_id: z.string().nullable().describe('The account that holds it now; null where a browser does, too.'),
    held_until: z.string().nullable().describe('Null where nobody holds it.'),
    reviews: z.array(
      z.object({ user_id: z.string().nullable(), outcome: z.enum(QUEUE_OUTCOMES), reviewed_at: z.string() }),
    ),
    added_by_id: z.string().nullable(),
    added_at: z.string(),
  })
  .meta({ id: 'AnnotationQueueItem' });

/** An item in that form. */
export function presentItem({ item, target, reviews }: ItemDetails): z.output<typeof ANNOTATION_QUEUE_ITEM> {
  const nowUs = Date.now() * 1000;
  const holder = holderOfItem(item, nowUs);
  return {
    id: formatGlobalId('AnnotationQueueItem', item.rowId),
    queue_id: formatGlobalId('AnnotationQueue', item.queueRowId),
    target: presentTarget(item.target, target),
    state: stateOfItem(item, nowUs),
    completed_count: item.completedCount,
    held_by_id: formatUserId(holder === null ? null : accountOfReviewer(holder)),
    held_until: holder === null ? null : formatTimestamp(item.heldUntilUs),
    reviews: reviews.map(({ userRowId, outcome, atUs }) => ({
      user_id: formatUserId(userRowId),
      outcome,
      reviewed_at: formatTimestamp(atUs),
    })),
    added_by_id: formatUserId(item.addedByRowId),
    added_at: formatTimestamp(item.addedAtUs),
  };
}

function presentTarget(target: QueueTarget, found: ItemDetails['target']) {
  if (found === undefined) return null;
  const { rowId, projectRowId, key } = found;
  const id = formatGlobalId(TARGET_TYPES[target], rowId);
  return { id, project_id: formatGlobalId('Project', projectRowId), [`${target}_id`]: key };
}

const TARGET_TYPES = { span: 'Span', trace: 'Trace', session: 'ProjectSession' } as const satisfies Record<
  QueueTarget,
  GlobalIdType
>;

function formatUserId(rowId: number | null): string | null {
  return rowId === null ? null : formatGlobalId('User', rowId);
}
