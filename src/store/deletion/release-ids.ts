/**
 * A deleted trace that is sent again is another trace, though the old one may not be erased yet. It gives up its id when somebody
 * brings that id again, and not when it is deleted: a project must disappear at once, however many traces it has.
 */
import { randomUUID } from 'node:crypto';
import { prepareQuery, type QueryScope } from '../spans/relational/prepared-query.ts';

/** Takes the id from the trace, and from the log records that wait under it for their spans. */
export async function releaseTraceId(
  scope: QueryScope,
  trace: { readonly rowId: number; readonly traceId: string },
): Promise<void> {
  const { rowId, traceId } = trace;
  const releasedId = `deleted:${randomUUID()}`;
  await renameTrace(scope, { rowId, releasedId });
  await renameRecords(scope, { traceId, releasedId });
}

const renameTrace = prepareQuery(({ db }, values: { readonly rowId: number; readonly releasedId: string }) =>
  db.updateTable('traces').set({ trace_id: values.releasedId }).where('id', '=', values.rowId),
);

/** Index: log_records_waiting. */
const renameRecords = prepareQuery(({ db }, values: { readonly traceId: string; readonly releasedId: string }) =>
  db
    .updateTable('log_records')
    .set({ trace_id: values.releasedId })
    .where('trace_id', '=', values.traceId)
    .where('span_row_id', 'is', null),
);
