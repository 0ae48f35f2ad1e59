/** Deletes one span, in the writer: what remains of its trace is as if it had never come. */
import { sql } from 'kysely';
import { forgetRecords } from '../logs/write/record-blocks.ts';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import { applyArrivals, type WriteScope } from '../spans/write/request-writer.ts';
import { KNOWN_COLUMNS, loadTracesByRow, toKnownSpan } from '../spans/write/stored-trace.ts';
import { touchedProjects } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { tellErased } from '../records/hooks.ts';
import { beginDeletion, type HiddenPart, hideNext } from './hide.ts';
import { isSpanInProject } from '../spans/rows/visible.ts';

/** What became of it. */
export type DeletedSpan =
  /** Part of its log records is gone; the span is there until all of them are. */
  | { readonly state: 'begun' }
  | { readonly state: 'gone'; readonly touched: readonly TouchedProject[] }
  /** It was the last of its trace, which is hidden now. */
  | { readonly state: 'hidden'; readonly part: HiddenPart };

/** Deletes the span, its links and log records; `undefined` where there is none. Children stay, without their parent. */
export async function deleteSpan(scope: WriteScope, rowId: number): Promise<DeletedSpan | undefined> {
  const [row] = await selectSpan(scope, { rowId });
  if (row === undefined) return undefined;
  const span = toKnownSpan(row);
  const { traceRowId } = span;
  for (const [traceId, stored] of await loadTracesByRow(scope, [traceRowId])) {
    const { projectId, rollup } = stored;
    if (rollup.spanCount <= 1) return hideTrace(scope, projectId, traceRowId);
    const records = await selectRecords(scope, { rowId });
    await forgetRecords(
      scope,
      records.map((record) => record.id),
    );
    if (records.length === RECORDS_A_TRANSACTION) return { state: 'begun' };
    await tellErased(scope, { spanRowIds: [rowId] });
    const arrival = { arriving: [], known: new Map(), removed: [span] };
    await applyArrivals(scope, [{ traceId, traceRowId, projectId, stored, arrival }]);
    await touchChildren(scope, { traceRowId, spanId: span.facts.spanId });
    return { state: 'gone', touched: touchedProjects([{ projectId, traceId }]) };
  }
  return undefined;
}

const RECORDS_A_TRANSACTION = 300;

async function hideTrace(
  scope: WriteScope,
  projectRowId: number,
  traceRowId: number,
): Promise<DeletedSpan | undefined> {
  const selection = { traceRowIds: [traceRowId] };
  const deletion = await beginDeletion(scope, { projectRowId, selection, reason: 'request', policyRowId: null });
  const part = deletion && (await hideNext(scope, deletion.rowId));
  return part && { state: 'hidden', part };
}

const selectSpan = prepareQuery(({ db }: QueryScope, values: { readonly rowId: number }) =>
  db.selectFrom('spans').select(KNOWN_COLUMNS).where('spans.id', '=', values.rowId).where(isSpanInProject),
);

/** Index: log_records_of_span. */
const selectRecords = prepareQuery(({ db }: QueryScope, values: { readonly rowId: number }) =>
  db.selectFrom('log_records').select('id').where('span_row_id', '=', values.rowId).limit(RECORDS_A_TRANSACTION),
);

/** What is kept of spans column by column knows of each whether its parent is there: it is told of a change by one of the row. */
const touchChildren = prepareQuery(
  ({ db }: QueryScope, values: { readonly traceRowId: number; readonly spanId: string }) =>
    db
      .updateTable('spans')
      .set({ attributes_cut: sql<number>`attributes_cut` })
      .where('trace_row_id', '=', values.traceRowId)
      .where('parent_span_id', '=', values.spanId),
);
