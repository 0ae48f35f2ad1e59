/** Tokens and costs of what counts, out of aggregates of spans. */
import type { Measure } from '#store/aggregates/port';
import type { TokenSums } from '#store/projects/sums-port';

/** What {@link toCountedSums} reads, in its order. */
export const COUNTED_MEASURES: readonly Measure[] = [
  { kind: 'tokens', of: 'prompt' },
  { kind: 'tokens', of: 'completion' },
  { kind: 'cost', of: 'total' },
  { kind: 'cost', of: 'prompt' },
  { kind: 'cost', of: 'completion' },
];

/** The sums of nothing. */
export const NO_SUMS: TokenSums = toCountedSums([]);

/** The values of {@link COUNTED_MEASURES}, costs in US dollars, as sums. */
export function toCountedSums(values: readonly number[]): TokenSums {
  const [promptTokenCount = 0, completionTokenCount = 0, cost = 0, promptCost = 0, completionCost = 0] = values;
  return {
    promptTokenCount,
    completionTokenCount,
    costNanoUsd: cost * 1e9,
    promptCostNanoUsd: promptCost * 1e9,
    completionCostNanoUsd: completionCost * 1e9,
  };
}
