/** Costs as clients are told them: in US dollars, beside the tokens that they are for. */
import type { SpanTableRow } from '#store/spans/browse-port';
import type { CostSums } from '#store/spans/port';

/** Tokens and what they cost; `null` where that is not known. */
export interface CostBreakdown {
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** What calls cost, side by side. */
export interface CostSummary {
  readonly prompt: CostBreakdown;
  readonly completion: CostBreakdown;
  readonly total: CostBreakdown;
}

/** Sums of what counts. */
export type CountedSums = CostSums & { readonly promptTokenCount: number; readonly completionTokenCount: number };

/** The costs of sums: 0 where nothing has a price. */
export function summarizeSums(sums: CountedSums): CostSummary {
  const { promptTokenCount, completionTokenCount, promptCostNanoUsd, completionCostNanoUsd, costNanoUsd } = sums;
  return {
    prompt: { tokens: promptTokenCount, cost: promptCostNanoUsd / 1e9 },
    completion: { tokens: completionTokenCount, cost: completionCostNanoUsd / 1e9 },
    total: { tokens: promptTokenCount + completionTokenCount, cost: costNanoUsd / 1e9 },
  };
}

/** The cost of a span by itself; `null` where it is not known. */
export function summarizeSpan({ promptTokenCount, completionTokenCount, cost }: SpanTableRow): CostSummary | null {
  if (cost.totalNanoUsd === null) return null;
  return {
    prompt: { tokens: promptTokenCount, cost: toUsd(cost.promptNanoUsd) },
    completion: { tokens: completionTokenCount, cost: toUsd(cost.completionNanoUsd) },
    total: { tokens: (promptTokenCount ?? 0) + (completionTokenCount ?? 0), cost: toUsd(cost.totalNanoUsd) },
  };
}

function toUsd(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / 1e9;
}
