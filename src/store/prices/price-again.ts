/** Prices stored spans anew, and puts right the sums that they count in; originals are not opened. */
import { addUsage, NO_USAGE, type Usage } from '#derive/usage';
import { prepareQuery } from '../queries/prepared-query.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import type { TouchedPlace } from '../spans/write/touched-projects.ts';
import { addToTraces } from '../spans/write/write-traces.ts';
import { PRICED_COLUMNS, priceRow, type PriceUpdate } from './price-row.ts';

/** Prices the spans of the row ids by the table of the scope, inside one transaction; tells where something changed. */
export async function priceAgain(scope: WriteScope, spanRowIds: readonly number[]): Promise<readonly TouchedPlace[]> {
  if (spanRowIds.length === 0) return [];
  const updates: ReturnType<typeof toUpdateValues>[] = [];
  const differences = new Map<number, Usage>();
  for (const row of await selectPriced(scope, { rowIds: JSON.stringify(spanRowIds) })) {
    const update = priceRow(row, scope.prices);
    if (update === null) continue;
    updates.push(toUpdateValues(row.id, update));
    differences.set(row.trace_row_id, addUsage(differences.get(row.trace_row_id) ?? NO_USAGE, update.difference));
  }
  await scope.bulkUpdate('spans', updates);
  return addToTraces(scope, differences);
}

const selectPriced = prepareQuery(({ db, dialect }, values: { readonly rowIds: string }) =>
  db.selectFrom('spans').select(PRICED_COLUMNS).where('id', 'in', dialect.numbersOfJson(values.rowIds)),
);

function toUpdateValues(id: number, { columns, counted }: PriceUpdate) {
  return {
    id,
    ...columns,
    counted_cost_nanousd: counted.costNanoUsd,
    counted_prompt_cost_nanousd: counted.promptCostNanoUsd,
    counted_completion_cost_nanousd: counted.completionCostNanoUsd,
  };
}
