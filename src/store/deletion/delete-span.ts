/** Deletes one span, in the writer: what remains of its trace is as if it had never come. */
import { sql } from 'kysely';
import { forgetRecords } from '../logs/write/record-blocks.ts';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import { deriveAgain, type DeriveScope } from '../spans/write/derive-again.ts';
import { applyArrivals, type WriteScope } from '../spans/write/request-writer.ts';
import {
  KNOWN_COLUMNS,
  type KnownSpan,
  loadTracesByRow,
  type StoredTrace,
  toKnownSpan,
} from '../spans/write/stored-trace.ts';
import { touchedProjects } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { tellErased } from '../records/hooks.ts';
import { beginDeletion, type HiddenPart, hideNext } from './hide.ts';
import { isSpanInProject } from '../spans/rows/visible.ts';

/** What became of it. */
export type DeletedSpan =
  /** Part of its log records is gone; the span is there until all of them are. */
  | { readonly state: 'begun' }
  | (SpanThen & { readonly state: 'gone'; readonly touched: readonly TouchedProject[] })
  /** It was the last of its trace, which is hidden now. */
  | (SpanThen & { readonly state: 'hidden'; readonly part: HiddenPart });

/** What is known of the span. */
interface SpanThen {
  readonly spanId: string;
  readonly projectRowId: number;
}

/** Deletes the span, its links and log records; `undefined` where there is none. Children stay, without their parent. */
export async function deleteSpan(scope: DeriveScope, rowId: number): Promise<DeletedSpan | undefined> {
  const [row] = await selectSpan(scope, { rowId });
  if (row === undefined) return undefined;
  const span = toKnownSpan(row);
  const { traceRowId } = span;
  const { spanId } = span.facts;
  for (const [traceId, stored] of await loadTracesByRow(scope, [traceRowId])) {
    const { projectId, rollup } = stored;
    const then = { spanId, projectRowId: projectId };
    if (rollup.spanCount <= 1) {
      const part = await hideTrace(scope, projectId, traceRowId);
      return part && { ...then, state: 'hidden', part };
    }
    if (await forgetSomeRecords(scope, [rowId])) return { state: 'begun' };
    await takeOutSpans(scope, [{ traceId, stored, removed: [span] }]);
    return { ...then, state: 'gone', touched: touchedProjects([{ projectId, traceId }]) };
  }
  return undefined;
}

/**
 * Forgets log records of spans, as many as a transaction may, and reads other spans again of which they told; says whether more may be left.
 * Index: log_records_of_span.
 */
export async function forgetSomeRecords(scope: DeriveScope, spanRowIds: readonly number[]): Promise<boolean> {
  const records = await selectRecords(scope, { rowIds: JSON.stringify(spanRowIds) });
  if (records.length === 0) return false;
  await forgetRecords(
    scope,
    records.map((record) => record.id),
  );
  const told = new Set(records.flatMap((record) => record.request_span_row_id ?? []));
  for (const rowId of spanRowIds) told.delete(rowId);
  await deriveAgain(scope, [...told]);
  return records.length === RECORDS_A_TRANSACTION;
}

const RECORDS_A_TRANSACTION = 300;

/** Spans of a trace that keeps others. */
export interface RemovedSpans {
  readonly traceId: string;
  readonly stored: StoredTrace;
  readonly removed: readonly KnownSpan[];
}

/** Takes spans out of their traces, whose log records are gone. Children stay, without their parents. */
export async function takeOutSpans(scope: WriteScope, traces: readonly RemovedSpans[]): Promise<void> {
  const spanRowIds = traces.flatMap(({ removed }) => removed.map(({ facts }) => facts.rowId));
  if (spanRowIds.length === 0) return;
  await tellErased(scope, { spanRowIds });
  const changing = traces.map(({ traceId, stored, removed }) => {
    const arrival = { arriving: [], known: new Map(), removed };
    return { traceId, traceRowId: stored.rowId, projectId: stored.projectId, stored, arrival };
  });
  await applyArrivals(scope, changing);
  for (const { stored, removed } of traces) {
    const spanIds = JSON.stringify(removed.map(({ facts }) => facts.spanId));
    await touchChildren(scope, { traceRowId: stored.rowId, spanIds });
  }
}

async function hideTrace(scope: WriteScope, projectRowId: number, traceRowId: number): Promise<HiddenPart | undefined> {
  const selection = { traceRowIds: [traceRowId] };
  const deletion = await beginDeletion(scope, { projectRowId, selection, reason: 'request', policyRowId: null });
  return deletion && hideNext(scope, deletion.rowId);
}

const selectSpan = prepareQuery(({ db }: QueryScope, values: { readonly rowId: number }) =>
  db.selectFrom('spans').select(KNOWN_COLUMNS).where('spans.id', '=', values.rowId).where(isSpanInProject),
);

/** Index: log_records_of_span. */
const selectRecords = prepareQuery(({ db, dialect }: QueryScope, values: { readonly rowIds: string }) =>
  db
    .selectFrom('log_records')
    .select(['id', 'request_span_row_id'])
    .where('span_row_id', 'in', dialect.numbersOfJson(values.rowIds))
    .limit(RECORDS_A_TRANSACTION),
);

/** What is kept of spans column by column knows of each whether its parent is there: it is told of a change by one of the row. */
const touchChildren = prepareQuery(
  ({ db, dialect }: QueryScope, values: { readonly traceRowId: number; readonly spanIds: string }) =>
    db
      .updateTable('spans')
      .set({ attributes_cut: sql<number>`attributes_cut` })
      .where('trace_row_id', '=', values.traceRowId)
      .where('parent_span_id', 'in', dialect.textsOfJson(values.spanIds)),
);
