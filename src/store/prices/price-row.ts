/** What the price table says of a stored span now, beside what its row says. */
import { claimCost, isReported } from '#derive/cost/claim';
import type { PriceTable } from '#derive/cost/price-table';
import { addUsage, CLAIMS, type Usage } from '#derive/usage';
import { fromKindColumn } from '../spans/rows/columns.ts';
import {
  type ClaimColumns,
  PART_COST_COLUMNS,
  type PartCostColumns,
  toCallTokens,
  toClaim,
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
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'prompt_audio_tokens',
  'completion_audio_tokens',
  'cost_usd',
  'claimed_cost_nanousd',
  'claimed_prompt_cost_nanousd',
  'claimed_completion_cost_nanousd',
  'call_distance',
  'counted_prompt_tokens',
  'counted_completion_tokens',
  'counted_cost_nanousd',
  'counted_prompt_cost_nanousd',
  'counted_completion_cost_nanousd',
  ...Object.values(PART_COST_COLUMNS),
] as const;

/** A row of {@link PRICED_COLUMNS}. */
export interface PricedRow extends TokenColumns, ClaimColumns, PartCostColumns {
  readonly id: number;
  readonly trace_row_id: number;
  readonly kind: number;
  readonly model_name: string | null;
  readonly provider: string | null;
  readonly start_us: number;
  readonly cost_usd: number | null;
  readonly call_distance: number | null;
  readonly counted_prompt_tokens: number;
  readonly counted_completion_tokens: number;
  readonly counted_cost_nanousd: number;
  readonly counted_prompt_cost_nanousd: number;
  readonly counted_completion_cost_nanousd: number;
}

/** A row that has another price now. */
export interface PriceUpdate {
  readonly columns: PartCostColumns & Omit<ClaimColumns, 'prompt_tokens' | 'completion_tokens'>;
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
  const claim = isReported(row.cost_usd) ? claimOf(row) : toClaimColumns(claimCost(NOT_REPORTED, computed));
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

function claimOf(row: PricedRow) {
  const { claimed_cost_nanousd, claimed_prompt_cost_nanousd, claimed_completion_cost_nanousd } = row;
  return { claimed_cost_nanousd, claimed_prompt_cost_nanousd, claimed_completion_cost_nanousd };
}

function toClaimColumns(cost: ReturnType<typeof claimCost>) {
  return {
    claimed_cost_nanousd: cost?.total ?? null,
    claimed_prompt_cost_nanousd: cost?.prompt ?? null,
    claimed_completion_cost_nanousd: cost?.completion ?? null,
  };
}

function countedOf(row: PricedRow): Usage {
  return {
    promptTokens: row.counted_prompt_tokens,
    completionTokens: row.counted_completion_tokens,
    costNanoUsd: row.counted_cost_nanousd,
    promptCostNanoUsd: row.counted_prompt_cost_nanousd,
    completionCostNanoUsd: row.counted_completion_cost_nanousd,
  };
}
