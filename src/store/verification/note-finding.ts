/** Tells of rows and indexes that do not agree, and which of the two can be believed. */
import { noteDamage } from '../engine/damage.ts';
import type { TableFinding } from '../engine/table-check.ts';
import { type PlanScope, planReindex } from '../reindex/plan.ts';

/** Notes it. An index that is damaged beside whole rows can be made again from them. */
export async function noteFinding(scope: PlanScope, finding: TableFinding): Promise<void> {
  const { table, index, isSmall } = finding;
  if (index === null)
    return noteDamage({ kind: 'database', message: `Rows of the table ${table} cannot be read.`, spans: [] });
  const isRebuildable = finding.hasTwin !== true && (await areRowsWhole(scope, finding));
  const advice =
    isRebuildable && !isSmall ? ' Stop the server and run `cairn db rebuild-indexes`, which makes it again.' : '';
  noteDamage({
    kind: 'database',
    message: `The index ${index} does not lead to all rows of the table ${table}, or to others: lists may miss some.${advice}`,
    spans: [],
    index: { table, name: index, isRebuildable, isLarge: !isSmall },
  });
}

/** Whether what no other index confirms is as the originals have it. Links are made of originals. */
async function areRowsWhole(scope: PlanScope, { table, rowIds, unconfirmed }: TableFinding): Promise<boolean> {
  if (unconfirmed.length === 0 || table === 'span_links') return true;
  if (rowIds.length > MAX_COMPARED) return false;
  if (table === 'spans' && !unconfirmed.some((column) => NOT_IN_ORIGINALS.has(column)))
    return everyIs(rowIds, (rowId) => isAsOriginal(scope, rowId));
  if (table === 'traces' && unconfirmed.every((column) => column === 'trace_id'))
    return everyIs(rowIds, (rowId) => hasOriginal(scope, rowId));
  return false;
}

/** A moment's work. */
const MAX_COMPARED = 50;

/** Columns of spans that an original does not have: the span's project and trace, and its distance from the call that counts. */
const NOT_IN_ORIGINALS: ReadonlySet<string> = new Set(['project_id', 'trace_row_id', 'call_distance']);

async function isAsOriginal(scope: PlanScope, spanRowId: number): Promise<boolean> {
  const { readCount, failedCount, changedRowIds } = await planReindex(scope, spanRowId, spanRowId + 1);
  return readCount === 1 && failedCount === 0 && changedRowIds.length === 0;
}

/** An original is that of a span only if it has the id of its trace. Index: spans_of_trace. */
async function hasOriginal(scope: PlanScope, traceRowId: number): Promise<boolean> {
  const span = await scope.db
    .selectFrom('spans')
    .select('id')
    .where('trace_row_id', '=', traceRowId)
    .limit(1)
    .executeTakeFirst();
  return span !== undefined && (await planReindex(scope, span.id, span.id + 1)).failedCount === 0;
}

async function everyIs(rowIds: readonly number[], is: (rowId: number) => Promise<boolean>): Promise<boolean> {
  for (const rowId of rowIds) if (!(await is(rowId))) return false;
  return true;
}
