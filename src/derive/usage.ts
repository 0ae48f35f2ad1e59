/**
 * Which spans' tokens and cost count in sums. A model call that is described twice, by a wrapper and by the call inside
 * it, must count once, in whatever order the two arrive.
 *
 * The rule looks along one edge only: a model call's claim counts unless a direct child of it is a model call with a
 * claim of its own. Other kinds (agents, chains) repeat what happened inside them and never count.
 */

/** What of a span decides sums. */
export interface SpanFacts {
  readonly rowId: number;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startUs: number;
  readonly endUs: number;
  readonly isError: boolean;
  readonly isModelCall: boolean;
  readonly sessionId: string | null;
  /** What the span claims; 0 where it says nothing. */
  readonly claim: Usage;
}

/** Tokens, and cost in billionths of a US dollar: whole numbers, so that sums do not depend on their order. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

/** Nothing used. */
export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };

/** What a span says it used, as far as sums can take it: anything negative or absurdly large counts as nothing. */
export function toUsage(tokens: { prompt: number | null; completion: number | null }, costUsd: number | null): Usage {
  return {
    promptTokens: within(tokens.prompt, 1, MAX_CLAIMED_TOKENS),
    completionTokens: within(tokens.completion, 1, MAX_CLAIMED_TOKENS),
    costNanoUsd: Math.round(within(costUsd, MIN_CLAIMED_COST_USD, MAX_CLAIMED_COST_USD) * 1e9),
  };
}

/** Whether the span is a model call that says what it used. */
export function isClaiming(span: SpanFacts): boolean {
  const { promptTokens, completionTokens, costNanoUsd } = span.claim;
  return span.isModelCall && (promptTokens > 0 || completionTokens > 0 || costNanoUsd > 0);
}

/** The ids of spans that have a direct child with a claim; a span is not its own child. */
export function claimedParents(spans: Iterable<SpanFacts>): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const span of spans) {
    if (span.parentSpanId !== null && span.parentSpanId !== span.spanId && isClaiming(span))
      parents.add(span.parentSpanId);
  }
  return parents;
}

/** What of the span's claim counts, given the ids from {@link claimedParents}. */
export function countedUsage(span: SpanFacts, parents: ReadonlySet<string>): Usage {
  return isClaiming(span) && !parents.has(span.spanId) ? span.claim : NO_USAGE;
}

/** `a + sign × b`. */
export function addUsage(a: Usage, b: Usage, sign: 1 | -1 = 1): Usage {
  return {
    promptTokens: a.promptTokens + sign * b.promptTokens,
    completionTokens: a.completionTokens + sign * b.completionTokens,
    costNanoUsd: a.costNanoUsd + sign * b.costNanoUsd,
  };
}

/** No call uses as much; larger claims would push sums beyond exact integers. */
export const MAX_CLAIMED_TOKENS = 1e10;

/** See {@link MAX_CLAIMED_TOKENS}. */
export const MAX_CLAIMED_COST_USD = 1e5;

/** What is less rounds to nothing. */
export const MIN_CLAIMED_COST_USD = 5e-10;

function within(value: number | null, least: number, most: number): number {
  return value !== null && value >= least && value <= most ? value : 0;
}
