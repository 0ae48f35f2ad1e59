/** The rows of traces that started in a range, newest first, column by column. */
import { type SqlBool, sql } from 'kysely';
import { giveWay } from '../threads/fair-turns.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { Budget } from '../query/budget.ts';
import type { ClosedRange } from './buckets.ts';

const COLUMNS = [
  'id',
  'start_us',
  'end_us',
  'error_count',
  'prompt_tokens',
  'completion_tokens',
  'cost_nanousd',
  'prompt_cost_nanousd',
  'completion_cost_nanousd',
  'root_span_row_id',
  'session_row_id',
] as const;

/** Some traces, in the order of their start, latest first; NaN where there is no root span or no session. */
export type TraceRows = { readonly [Column in (typeof COLUMNS)[number]]: Float64Array };

/** Reads until there are no more, or the budget is over. Index: traces_by_start. */
export async function* readTraceRows(
  { db }: ReadScope,
  projectRowId: number,
  { startUs, endUs }: ClosedRange,
  budget: Budget,
): AsyncGenerator<TraceRows> {
  let after = { startUs: endUs, id: 0 };
  for (let count = 0; ; count += ROWS_AT_ONCE) {
    const rows = await db
      .selectFrom('traces')
      .select(COLUMNS)
      .where('project_id', '=', projectRowId)
      .where('start_us', '>=', startUs)
      .where(sql<SqlBool>`(start_us, id) < (${after.startUs}, ${after.id})`)
      .orderBy('start_us', 'desc')
      .orderBy('id', 'desc')
      .limit(ROWS_AT_ONCE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield toColumns(rows);
    if (rows.length < ROWS_AT_ONCE) return;
    if (count >= MAX_TRACES) budget.exceed();
    if (budget.isOver) return;
    after = { startUs: last.start_us, id: last.id };
    await giveWay();
  }
}

/** How many there are. Index: traces_by_start. */
export async function countTraces(
  { db }: ReadScope,
  projectRowId: number,
  { startUs, endUs }: ClosedRange,
): Promise<number> {
  const row = await db
    .selectFrom('traces')
    .select(sql<number>`count(*)`.as('count'))
    .where('project_id', '=', projectRowId)
    .where('start_us', '>=', startUs)
    .where('start_us', '<', endUs)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** A few milliseconds. */
const ROWS_AT_ONCE = 4096;

/** Of one answer; eleven numbers each. */
const MAX_TRACES = 1_000_000;

type Row = { readonly [Column in (typeof COLUMNS)[number]]: number | null };

/** By index: `Float64Array.from` with a function takes six times as long. */
function toColumns(rows: readonly Row[]): TraceRows {
  const columns = COLUMNS.map((column) => {
    const values = new Float64Array(rows.length);
    for (let index = 0; index < rows.length; index++) values[index] = rows[index]?.[column] ?? Number.NaN;
    return [column, values] as const;
  });
  return Object.fromEntries(columns) as TraceRows;
}
