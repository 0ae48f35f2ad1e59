/** Costs by type of token, of the calls that count. */
import { splitTokens } from '#derive/cost/amounts';
import { COST_PARTS, type CostPart } from '#derive/cost/rates';
import {
  PART_COST_COLUMNS,
  PART_COST_NAMES,
  type PartCostColumns,
  toCallTokens,
  TOKEN_COLUMNS,
  type TokenColumns,
} from '../rows/cost-columns.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import type { CostDetailSum } from '../cost-port.ts';

type CostRow = TokenColumns & PartCostColumns;

/** By trace row id. Index: spans_of_trace. */
export async function readTraceCostDetails(
  scope: ReadScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CostDetailSum[]>> {
  const rows = await selectCounted(scope)
    .where('spans.trace_row_id', 'in', scope.dialect.numbersOf(traceRowIds))
    .execute();
  return sumBy(rows, (row) => row.trace_row_id);
}

/** By session row id. Index: traces_of_session, spans_of_trace. */
export async function readSessionCostDetails(
  scope: ReadScope,
  sessionRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CostDetailSum[]>> {
  const rows = await selectCounted(scope)
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select('traces.session_row_id')
    .where('traces.session_row_id', 'in', scope.dialect.numbersOf(sessionRowIds))
    .execute();
  return sumBy(rows, (row) => row.session_row_id ?? 0);
}

/** By span row id. Index: primary keys, spans_of_trace, and those of trees. */
export async function readSubtreeCostDetails(
  scope: ReadScope,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CostDetailSum[]>> {
  const { db, dialect, trees } = scope;
  const spans = await db
    .selectFrom('spans')
    .select(['id', 'trace_row_id'])
    .where('id', 'in', dialect.numbersOf(spanRowIds))
    .execute();
  const sums = new Map<number, readonly CostDetailSum[]>();
  for (const [traceRowId, ofTrace] of Map.groupBy(spans, (span) => span.trace_row_id)) {
    const calls = await selectCounted(scope).where('spans.trace_row_id', '=', traceRowId).execute();
    const tree = await trees.treeOf(db, traceRowId);
    for (const { id } of ofTrace) {
      const below = new Set([id, ...tree.descendants(id, 0)]);
      sums.set(id, sumOf(calls.filter((call) => below.has(call.id))));
    }
  }
  return sums;
}

function selectCounted({ db }: ReadScope) {
  return db
    .selectFrom('spans')
    .select(['spans.id', 'spans.trace_row_id'])
    .select(TOKEN_COLUMNS.map((column) => `spans.${column}` as const))
    .select(PART_COST_NAMES.map((column) => `spans.${column}` as const))
    .where('spans.input_cost_nanousd', 'is not', null)
    .where((span) =>
      span.or([span('spans.counted_prompt_tokens', '>', 0), span('spans.counted_completion_tokens', '>', 0)]),
    );
}

function sumBy<Row extends CostRow>(
  rows: readonly Row[],
  keyOf: (row: Row) => number,
): ReadonlyMap<number, readonly CostDetailSum[]> {
  return new Map([...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, sumOf(group)]));
}

function sumOf(rows: readonly CostRow[]): readonly CostDetailSum[] {
  const tokens = new Map<CostPart, number>();
  const costs = new Map<CostPart, number>();
  for (const row of rows) {
    const split = splitTokens(toCallTokens(row));
    for (const { key } of COST_PARTS) {
      tokens.set(key, (tokens.get(key) ?? 0) + split[key]);
      costs.set(key, (costs.get(key) ?? 0) + (row[PART_COST_COLUMNS[key]] ?? 0));
    }
  }
  return COST_PARTS.flatMap(({ key, tokenType, isPrompt }) => {
    const count = tokens.get(key) ?? 0;
    return count === 0 ? [] : [{ tokenType, isPrompt, tokens: count, cost: (costs.get(key) ?? 0) / 1e9 }];
  });
}
