/** What the price table says of a stored span now, beside what its row says. */
import { claimCost, isReported } from '#derive/cost/claim';
import type { PriceTable } from '#derive/cost/price-table';
import { addUsage, CLAIMS, type Usage } from '#derive/usage';
import { fromKindColumn } from '../spans/rows/columns.ts';
import {
  CLAIM_COLUMNS,
  type ClaimedColumns,
  COUNTED_COLUMNS,
  type CountedColumns,
  countedOf,
  PART_COST_NAMES,
  type PartCostColumns,
  toCallTokens,
  toClaim,
  TOKEN_COLUMNS,
  type TokenColumns,
  toPartCostValues,
} from '../spans/rows/cost-columns.ts';

/** The columns that are read. */
export const PRICED_COLUMNS = [
  'id',
  'trace_row_id',
  'kind',
  'model_name',
  'provider',
  'start_us',
  ...TOKEN_COLUMNS,
  'cost_usd',
  ...CLAIM_COLUMNS,
  'call_distance',
  ...COUNTED_COLUMNS,
  ...PART_COST_NAMES,
] as const;

/** A row of {@link PRICED_COLUMNS}. */
export interface PricedRow extends TokenColumns, ClaimedColumns, CountedColumns, PartCostColumns {
  readonly id: number;
  readonly trace_row_id: number;
  readonly kind: number;
  readonly model_name: string | null;
  readonly provider: string | null;
  readonly start_us: number;
  readonly cost_usd: number | null;
  readonly call_distance: number | null;
}

/** A row that has another price now. */
export interface PriceUpdate {
  readonly columns: PartCostColumns & ClaimedColumns;
  readonly counted: Usage;
  /** What counts now, less what did. */
  readonly difference: Usage;
}

/**
 * Prices a row anew; `null` where nothing changes. Whether a call counts does not depend on its price: only tokens and
 * what was reported make a claim.
 */
export function priceRow(row: PricedRow, prices: PriceTable): PriceUpdate | null {
  const { kind, model_name: modelName, provider, start_us: startUs } = row;
  const computed = prices.priceSpan({ kind: fromKindColumn(kind), modelName, provider, startUs }, toCallTokens(row));
  const parts = toPartCostValues(computed);
  const claim = isReported(row.cost_usd) ? claimOf(row) : toClaimedValues(claimCost(NOT_REPORTED, computed));
  const columns = { ...parts, ...claim };
  const names = Object.keys(columns) as (keyof typeof columns)[];
  if (names.every((name) => row[name] === columns[name])) return null;
  const before = countedOf(row);
  const claimed = toClaim({ ...row, ...claim });
  const counts = row.call_distance === CLAIMS && before.promptTokens + before.completionTokens + before.costNanoUsd > 0;
  const counted = counts ? claimed : before;
  return { columns, counted, difference: addUsage(counted, before, -1) };
}

const NOT_REPORTED = { total: null, prompt: null, completion: null };

function claimOf(row: PricedRow): ClaimedColumns {
  const { claimed_cost_nanousd, claimed_prompt_cost_nanousd, claimed_completion_cost_nanousd } = row;
  return { claimed_cost_nanousd, claimed_prompt_cost_nanousd, claimed_completion_cost_nanousd };
}

function toClaimedValues(cost: ReturnType<typeof claimCost>): ClaimedColumns {
  return {
    claimed_cost_nanousd: cost?.total ?? null,
    claimed_prompt_cost_nanousd: cost?.prompt ?? null,
    claimed_completion_cost_nanousd: cost?.completion ?? null,
  };
}
