/** Which stored spans have another price now, found out in a reader's thread. */
import type { Kysely } from 'kysely';
import { compilePattern } from '#derive/cost/name-pattern';
import type { ReindexPlan } from './plan.ts';
import type { Tables } from '../schema/tables.ts';
import { toKindColumn } from '../spans/rows/columns.ts';
import { loadPriceTable } from '../prices/load-price-table.ts';
import { PRICED_COLUMNS, priceRow } from '../prices/price-row.ts';
import type { PassProgress } from '../reindex/pass-job.ts';
import type { PricingScope } from './pricing-job.ts';

/** Looks at the next spans of a pass. Index: the primary key. */
export async function planPricing(
  db: Kysely<Tables>,
  job: PricingScope & Pick<PassProgress, 'nextRowId' | 'endRowId'>,
): Promise<ReindexPlan> {
  const { nextRowId: fromRowId, endRowId, namePattern, startUs, endUs } = job;
  const nextRowId = Math.min(fromRowId + ROW_IDS_A_PLAN, endRowId);
  const prices = await loadPriceTable(db);
  const pattern = namePattern === null ? null : compilePattern(namePattern);
  let query = db
    .selectFrom('spans')
    .select(PRICED_COLUMNS)
    .where('id', '>=', fromRowId)
    .where('id', '<', nextRowId)
    .where('kind', '=', toKindColumn('LLM'))
    .where('model_name', 'is not', null);
  if (startUs !== null) query = query.where('start_us', '>=', startUs);
  if (endUs !== null) query = query.where('start_us', '<', endUs);
  const rows = (await query.execute()).filter(({ model_name }) => pattern?.matches(model_name ?? '') ?? true);
  const changedRowIds = rows.filter((row) => priceRow(row, prices) !== null).map(({ id }) => id);
  return { nextRowId, readCount: rows.length, changedRowIds, failedCount: 0 };
}

/** Some 20 ms of a reader's time, which others may wait for. */
const ROW_IDS_A_PLAN = 2000;
