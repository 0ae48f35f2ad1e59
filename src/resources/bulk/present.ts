/** Bulk actions as REST shows them. */
import { z } from 'zod';
import { formatGlobalId } from '#base/global-id';
import { formatTimestamp } from '#domain/timestamp';
import type { BulkAction } from '#store/bulk/bulk-action';

/** What rows are called. */
export const ROW_NAMES = { span: 'spans', trace: 'traces', session: 'sessions' } as const;

/** The form of an action. */
export const BULK_ACTION = z
  .object({
    id: z.string(),
    action: z.enum(['delete', 'move', 'annotate', 'queue']),
    rows: z.enum(['spans', 'traces', 'sessions']),
    project_id: z.string(),
    destination_project_id: z.string().nullable().describe('Where rows are moved to.'),
    annotation_name: z.string().nullable().describe('What rows are annotated with.'),
    queue_id: z.string().nullable().describe('The queue that rows are added to.'),
    state: z.enum(['running', 'paused', 'done', 'failed', 'cancelled']),
    total_count: z
      .number()
      .int()
      .nullable()
      .describe('Rows that it is about; null while a job still finds out which these are.'),
    noted_count: z.number().int().describe('Rows noted so far.'),
    done_count: z.number().int().describe('Rows that are done.'),
    gone_count: z.number().int().describe('Rows that were no longer there.'),
    refused_count: z.number().int().describe('Rows that could not be changed and stay as they are.'),
    error: z.string().nullable().describe('Why it failed.'),
    started_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'BulkAction' });

/** An action in that form. */
export function presentAction(action: BulkAction): z.output<typeof BULK_ACTION> {
  const { toProjectRowId, queueRowId, finishedAtUs } = action;
  return {
    id: formatGlobalId('BulkAction', action.rowId),
    action: action.kind,
    rows: ROW_NAMES[action.rows],
    project_id: formatGlobalId('Project', action.projectRowId),
    destination_project_id: toProjectRowId === null ? null : formatGlobalId('Project', toProjectRowId),
    annotation_name: action.annotationName,
    queue_id: queueRowId === null ? null : formatGlobalId('AnnotationQueue', queueRowId),
    state: action.state,
    total_count: action.totalCount,
    noted_count: action.notedCount,
    done_count: action.doneCount,
    gone_count: action.goneCount,
    refused_count: action.refusedCount,
    error: action.error,
    started_at: formatTimestamp(action.startedAtUs),
    finished_at: finishedAtUs === null ? null : formatTimestamp(finishedAtUs),
  };
}
