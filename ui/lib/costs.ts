/** What calls cost, in US dollars, as spans, traces and sessions sum it up. */
import { graphql, readInlineData } from 'react-relay';
import type { costs_summary$key } from '#ui/__generated__/costs_summary.graphql.ts';
import { formatUsd } from './format.ts';

const SUMMARY = graphql`
  fragment costs_summary on SpanCostSummary @inline {
    prompt {
      cost
    }
    completion {
      cost
    }
    total {
      cost
    }
  }
`;

/** Null where it is not known. */
export interface Costs {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
}

/** A summary of the API that a query asks for by this file's fragment. */
export type CostSummary = costs_summary$key;

/** The figures alone. */
export function readCosts(summary: CostSummary | null | undefined): Costs {
  if (summary == null) return { prompt: null, completion: null, total: null };
  const { prompt, completion, total } = readInlineData(SUMMARY, summary);
  return { prompt: prompt.cost ?? null, completion: completion.cost ?? null, total: total.cost ?? null };
}

/** The two sides, for titles. */
export function describeCosts({ prompt, completion }: Costs): string {
  if (prompt === null && completion === null) return 'Reported without a prompt and completion breakdown';
  return `${formatUsd(prompt)} prompt, ${formatUsd(completion)} completion`;
}
