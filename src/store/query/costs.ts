/** Costs of spans, as filters ask for them: what a span claims that it cost, whether it counts in sums or not. */
import type { NumberColumn, SpanBatch } from '../columns/batch.ts';

/** The fields of costs, in US dollars; 0 where there is none. */
export const COST_FIELDS = {
  total_cost: costField('claimed_cost_nanousd'),
  prompt_cost: costField('claimed_prompt_cost_nanousd'),
  completion_cost: costField('claimed_completion_cost_nanousd'),
};

function costField(column: NumberColumn) {
  return {
    columns: [column],
    isCertain: true,
    read: ({ batch }: { readonly batch: SpanBatch }) => ({
      kind: 'numbers' as const,
      values: batch.numbers(column).map((nano) => (Number.isNaN(nano) ? 0 : nano / 1e9)),
      uncertain: null,
    }),
  };
}
