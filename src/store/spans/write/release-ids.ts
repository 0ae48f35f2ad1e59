/**
 * A deleted trace that is sent again is another trace, though the old one may not be erased yet. It gives up its id when somebody
 * brings that id again, and not when it is deleted: a project must disappear at once, however many traces it has.
 */
import { randomUUID } from 'node:crypto';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import { RELEASED } from '../released-ids.ts';

/** Takes the ids from the traces, and from the log records that wait under them for their spans. */
export async function releaseTraceIds(
  scope: QueryScope,
  traces: readonly { readonly rowId: number; readonly traceId: string }[],
): Promise<void> {
  if (traces.length === 0) return;
  const released = JSON.stringify(traces.map(({ rowId, traceId }) => [rowId, traceId, `${RELEASED}${randomUUID()}`]));
  await renameTraces(scope, { released });
  await renameRecords(scope, { released });
}

interface Released {
  readonly released: string;
}

const PAIR = { row_id: 'number', trace_id: 'text', released_id: 'text' } as const;

function tableOf({ dialect }: QueryScope, { released }: Released) {
  return dialect
    .tuplesOfJson(released, PAIR)
    .$castTo<{ row_id: number; trace_id: string; released_id: string }>()
    .as('released');
}

const renameTraces = prepareQuery((scope, values: Released) =>
  scope.db
    .updateTable('traces')
    .from(tableOf(scope, values))
    .set((row) => ({ trace_id: row.ref('released.released_id') }))
    .whereRef('traces.id', '=', 'released.row_id'),
);

/** Index: log_records_waiting. */
const renameRecords = prepareQuery((scope, values: Released) =>
  scope.db
    .updateTable('log_records')
    .from(tableOf(scope, values))
    .set((row) => ({ trace_id: row.ref('released.released_id') }))
    .whereRef('log_records.trace_id', '=', 'released.trace_id')
    .where('log_records.span_row_id', 'is', null),
);
