/** Which cost of a call counts: docs/decisions/0027 has the reasons. */
import { readCost } from '../claimed.ts';
import type { CallCost } from './amounts.ts';

/** What a producer says a call cost, in US dollars; `null` where it does not say. */
export interface ReportedCost {
  readonly total: number | null;
  readonly prompt: number | null;
  readonly completion: number | null;
}

/** The cost of a call, in billionths of a US dollar. `null` for a side of which only the whole is known. */
export interface ClaimedCost {
  readonly total: number;
  readonly prompt: number | null;
  readonly completion: number | null;
}

/**
 * What the producer reports, else what the price table comes to; `null` where neither knows. A report of nothing is none:
 * libraries that know no price report 0.
 */
export function claimCost(reported: ReportedCost, computed: CallCost | null): ClaimedCost | null {
  const total = readCost(reported.total);
  if (total > 0)
    return { total, prompt: readSide(reported.prompt, total), completion: readSide(reported.completion, total) };
  if (computed === null) return null;
  const { prompt, completion } = computed;
  return { total: prompt + completion, prompt, completion };
}

/** Whether a reported total is one. */
export function isReported(totalUsd: number | null): boolean {
  return readCost(totalUsd) > 0;
}

function readSide(usd: number | null, total: number): number | null {
  const side = readCost(usd);
  return usd === null || side > total ? null : side;
}
