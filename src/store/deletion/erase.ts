/**
 * Erases what is hidden, in the writer: each part in one transaction, so that an interrupted deletion goes on where it was.
 * The search index and the columns are told by triggers on `spans`.
 */
import { CLAIMS } from '#derive/usage';
import { forgetRecords } from '../logs/write/record-blocks.ts';
import { deleteUnusedDictionaries } from '../blocks/stored-blocks.ts';
import { forgetSpans } from '../spans/write/forget-spans.ts';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import { KNOWN_COLUMNS, toKnownSpan } from '../spans/write/stored-trace.ts';
import { tellErased } from '../records/hooks.ts';
import type { Deletion } from './deletion.ts';
import type { ErasePart } from './removal-plan.ts';
import { recountCalls } from './recount-calls.ts';

/** Erases a part of a deletion; nothing, and `false`, where somebody has erased any of it since it was planned. */
export async function erase(scope: WriteScope, deletion: Deletion, part: ErasePart): Promise<boolean> {
  const [now] = await selectProgress(scope, { rowId: deletion.rowId });
  if (now?.erased_span_count !== deletion.erasedSpanCount || now.state !== deletion.state) return false;
  const spanRowIds = [...part.spanRowIds, ...part.wholeTraceSpanRowIds];
  const { wholeTraceRowIds: traceRowIds, sessionRowIds } = part;
  await tellErased(scope, { traceRowIds, spanRowIds, sessionRowIds });
  await forgetRecords(scope, part.recordRowIds);
  for (const { rowId, projectRowId } of part.strayRecords) await moveRecord(scope, { rowId, projectRowId });
  // What is left of a project that goes whole counts for nobody.
  if (deletion.selection !== null) await recountAfter(scope, spanRowIds);
  if (part.spanRowIds.length > 0) await forgetSpans(scope, part.spanRowIds);
  await forgetTraces(scope, part.wholeTraceRowIds, part.wholeTraceSpanRowIds);
  if (part.sessionRowIds.length > 0) await deleteSessions(scope, { rowIds: JSON.stringify(part.sessionRowIds) });
  const isWhole = deletion.selection === null;
  await addErased(scope, {
    rowId: deletion.rowId,
    erasedSpanCount: spanRowIds.length,
    spanCount: isWhole ? spanRowIds.length : 0,
    traceCount: isWhole ? part.wholeTraceRowIds.length : 0,
  });
  return true;
}

const selectProgress = prepareQuery(({ db }: QueryScope, values: { readonly rowId: number }) =>
  db.selectFrom('deletions').select(['state', 'erased_span_count']).where('id', '=', values.rowId),
);

/** Traces that go with all their spans need no sums and no counts of blocks: everything that belongs to them goes. */
async function forgetTraces(
  scope: QueryScope,
  traceRowIds: readonly number[],
  spanRowIds: readonly number[],
): Promise<void> {
  if (traceRowIds.length === 0) return;
  const values = { rowIds: JSON.stringify(traceRowIds), spanRowIds: JSON.stringify(spanRowIds) };
  for (const query of FORGETTING) await query(scope, values);
}

interface WholeTraces {
  readonly rowIds: string;
  readonly spanRowIds: string;
}

/** Index: links_of_trace, blocks_of_trace, and primary keys. */
const FORGETTING = [
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db.deleteFrom('span_links').where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
  ),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db.deleteFrom('span_locations').where('span_row_id', 'in', dialect.numbersOfJson(values.spanRowIds)),
  ),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db.deleteFrom('spans').where('id', 'in', dialect.numbersOfJson(values.spanRowIds)),
  ),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db
      .deleteFrom('compaction_queue')
      .where('block_id', 'in', (query) =>
        query.selectFrom('blocks').select('id').where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
      ),
  ),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db
      .deleteFrom('block_pieces')
      .where('block_id', 'in', (query) =>
        query.selectFrom('blocks').select('id').where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
      ),
  ),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db.deleteFrom('blocks').where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
  ),
  prepareQuery(({ db }) => deleteUnusedDictionaries(db)),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db.deleteFrom('unlisted_traces').where('trace_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
  ),
  prepareQuery(({ db, dialect }, values: WholeTraces) =>
    db.deleteFrom('traces').where('id', 'in', dialect.numbersOfJson(values.rowIds)),
  ),
];

const deleteSessions = prepareQuery(({ db, dialect }, values: { readonly rowIds: string }) =>
  db.deleteFrom('sessions').where('id', 'in', dialect.numbersOfJson(values.rowIds)),
);

const moveRecord = prepareQuery(({ db }, values: { readonly rowId: number; readonly projectRowId: number }) =>
  db.updateTable('log_records').set({ project_id: values.projectRowId }).where('id', '=', values.rowId),
);

interface Erased {
  readonly rowId: number;
  readonly erasedSpanCount: number;
  readonly spanCount: number;
  readonly traceCount: number;
}

const addErased = prepareQuery(({ db }, values: Erased) =>
  db
    .updateTable('deletions')
    .set((row) => ({
      erased_span_count: row('erased_span_count', '+', values.erasedSpanCount),
      span_count: row('span_count', '+', values.spanCount),
      trace_count: row('trace_count', '+', values.traceCount),
    }))
    .where('id', '=', values.rowId),
);

/** Calls elsewhere that were described by an erased span, too, may count now. */
async function recountAfter(scope: WriteScope, spanRowIds: readonly number[]): Promise<void> {
  if (spanRowIds.length === 0) return;
  const calls = (await selectCalls(scope, { spanRowIds: JSON.stringify(spanRowIds) })).map(toKnownSpan);
  if (calls.length > 0) await recountCalls(scope, { gone: calls, come: [] });
}

/** Index: the primary key. */
const selectCalls = prepareQuery(({ db, dialect }: QueryScope, values: { readonly spanRowIds: string }) =>
  db
    .selectFrom('spans')
    .select(KNOWN_COLUMNS)
    .where('spans.id', 'in', dialect.numbersOfJson(values.spanRowIds))
    .where('spans.response_key', 'is not', null)
    .where('spans.call_distance', '=', CLAIMS),
);

/** Says that a deletion has come to its next state; `false` where it has come further, or is gone. */
export async function advance(
  { db }: QueryScope,
  deletionRowId: number,
  state: 'shrinking' | 'finished',
): Promise<boolean> {
  const isFinished = state === 'finished';
  const { numUpdatedRows } = await db
    .updateTable('deletions')
    .set({ state, ...(isFinished && { finished_at_us: Date.now() * 1000 }) })
    .where('id', '=', deletionRowId)
    .where('state', '=', isFinished ? 'shrinking' : 'erasing')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (!isFinished) return true;
  // What was done is remembered, though not for ever.
  await db
    .deleteFrom('deletions')
    .where('state', '=', 'finished')
    .where('id', '<=', deletionRowId - MAX_REMEMBERED)
    .execute();
  return true;
}

const MAX_REMEMBERED = 10_000;
