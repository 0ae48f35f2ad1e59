/** Prices stored spans anew, and puts right the sums that they count in; originals are not opened. */
import { addUsage, NO_USAGE, type Usage } from '#derive/usage';
import { prepareQuery } from '../spans/relational/prepared-query.ts';
import type { WriteScope } from '../spans/relational/request-writer.ts';
import type { TouchedPlace } from '../spans/relational/touched-projects.ts';
import { addToTraces } from '../spans/relational/write-traces.ts';
import { PRICED_COLUMNS, priceRow, type PriceUpdate } from './price-row.ts';

/** Prices the spans of the row ids by the table of the scope, inside one transaction; tells where something changed. */
export async function priceAgain(scope: WriteScope, spanRowIds: readonly number[]): Promise<readonly TouchedPlace[]> {
  if (spanRowIds.length === 0) return [];
  const differences = new Map<number, Usage>();
  for (const row of await selectPriced(scope, { rowIds: JSON.stringify(spanRowIds) })) {
    const update = priceRow(row, scope.prices);
    if (update === null) continue;
    await updatePrice(scope, toUpdateValues(row.id, update));
    differences.set(row.trace_row_id, addUsage(differences.get(row.trace_row_id) ?? NO_USAGE, update.difference));
  }
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

const updatePrice = prepareQuery(({ db }, row: ReturnType<typeof toUpdateValues>) =>
  db
    .updateTable('spans')
    .set({
      claimed_cost_nanousd: row.claimed_cost_nanousd,
      claimed_prompt_cost_nanousd: row.claimed_prompt_cost_nanousd,
      claimed_completion_cost_nanousd: row.claimed_completion_cost_nanousd,
      counted_cost_nanousd: row.counted_cost_nanousd,
      counted_prompt_cost_nanousd: row.counted_prompt_cost_nanousd,
      counted_completion_cost_nanousd: row.counted_completion_cost_nanousd,
      input_cost_nanousd: row.input_cost_nanousd,
      cache_read_cost_nanousd: row.cache_read_cost_nanousd,
      cache_write_cost_nanousd: row.cache_write_cost_nanousd,
      prompt_audio_cost_nanousd: row.prompt_audio_cost_nanousd,
      output_cost_nanousd: row.output_cost_nanousd,
      reasoning_cost_nanousd: row.reasoning_cost_nanousd,
      completion_audio_cost_nanousd: row.completion_audio_cost_nanousd,
    })
    .where('id', '=', row.id),
);
