/**
 * Which spans' tokens and cost count in sums. A model call that is described twice must count once, in whatever order the
 * descriptions arrive; docs/decisions/0003 has the reasons.
 *
 * The claim of a model call counts unless
 * 1. a model call below it claims something, reached through spans that only group others: then it wraps that call; or
 * 2. another instrumentation describes the same answer of the provider beside it, and did so first.
 *
 * Other kinds (agents, chains, embeddings) never count.
 */
import type { SpanKind } from '#domain/span';
import { readTokens } from './claimed.ts';
import type { ClaimedCost } from './cost/claim.ts';

/** The values of a span that decide sums. */
export interface SpanFacts {
  readonly rowId: number;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startUs: number;
  readonly endUs: number;
  readonly isError: boolean;
  readonly kind: SpanKind;
  readonly sessionId: string | null;
  /** What the span claims; 0 where it says nothing. */
  readonly claim: Usage;
  /** Stands for the provider's id of the answer; equal for equal ids. */
  readonly responseKey: number | null;
  /** Which instrumentation describes it: the row id of its scope. */
  readonly instrumentationScopeId: number;
}

/** Tokens, and cost in billionths of a US dollar: whole numbers, so that sums do not depend on their order. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt, completion, and what is known to be neither. */
  readonly costNanoUsd: number;
  readonly promptCostNanoUsd: number;
  readonly completionCostNanoUsd: number;
}

/** Nothing used. */
export const NO_USAGE: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  costNanoUsd: 0,
  promptCostNanoUsd: 0,
  completionCostNanoUsd: 0,
};

/** What a span says it used, and what that cost, as far as sums can take it. */
export function toUsage(
  tokens: { readonly prompt: number | null; readonly completion: number | null },
  cost: ClaimedCost | null,
): Usage {
  return {
    promptTokens: readTokens(tokens.prompt),
    completionTokens: readTokens(tokens.completion),
    costNanoUsd: cost?.total ?? 0,
    promptCostNanoUsd: cost?.prompt ?? 0,
    completionCostNanoUsd: cost?.completion ?? 0,
  };
}

/** Whether the span is a model call that says what it used. */
export function isClaiming({ kind, claim }: Pick<SpanFacts, 'kind' | 'claim'>): boolean {
  return kind === 'LLM' && (claim.promptTokens > 0 || claim.completionTokens > 0 || claim.costNanoUsd > 0);
}

/**
 * How far below a span the nearest claim of a model call lies, through spans that only group: a number, so that it can be
 * stored and kept right along the edges to parents. {@link CLAIMS} and {@link WRAPS} for a span that claims itself; `null`
 * where there is none within {@link MAX_CALL_DISTANCE}, or the span does more than group.
 */
export type CallDistance = number | null;

/** A model call that claims, with no other below it. */
export const CLAIMS = 0;

/** A model call that claims, with another below it. */
export const WRAPS = -1;

/**
 * Spans that may lie between a wrapper and what it wraps. A bound, so that no span can make more work than this many
 * others; frameworks put one to five between.
 */
export const MAX_CALL_DISTANCE = 16;

/** What a span's distance means to its parent: a claim of its own is at 0, whatever it wraps. */
export function reachOf(distance: CallDistance): number | null {
  return distance === null ? null : Math.max(distance, CLAIMS);
}

/** The distance of a span, given the least reach of its children, `null` where none of them has one. */
export function distanceAbove(span: Pick<SpanFacts, 'kind' | 'claim'>, least: number | null): CallDistance {
  if (isClaiming(span)) return least === null ? CLAIMS : WRAPS;
  return least !== null && least < MAX_CALL_DISTANCE && GROUPING_KINDS.has(span.kind) ? least + 1 : null;
}

/**
 * Kinds that do nothing of their own: what a wrapper claims may be what is below them. The others do: a model that a tool
 * asks is not the model that asked for the tool.
 */
const GROUPING_KINDS: ReadonlySet<SpanKind> = new Set(['LLM', 'CHAIN', 'AGENT', 'PROMPT', 'DECISION', 'UNKNOWN']);

/** Whether a span's distance depends on what is below it. */
export function looksBelow(span: Pick<SpanFacts, 'kind' | 'claim'>): boolean {
  return GROUPING_KINDS.has(span.kind);
}

/** What two descriptions of a call are compared by. */
export type CallTimes = Pick<SpanFacts, 'startUs' | 'endUs' | 'instrumentationScopeId'>;

/**
 * Whether two model calls with the same response id are one call. A call that still runs when another instrumentation
 * begins to describe the same answer is that call; ids alone repeat in caches, in mocks and in small numbers.
 * @param earlier the one right before `later`, by start, among those of its project that claim and wrap nothing
 */
export function isSameCall(earlier: CallTimes, later: CallTimes): boolean {
  return (
    earlier.instrumentationScopeId !== later.instrumentationScopeId &&
    later.startUs - earlier.startUs < SAME_CALL_WINDOW_US &&
    (earlier.endUs > later.startUs || earlier.startUs === later.startUs)
  );
}

/** Descriptions of one call start within four seconds: a power of two, so that calls can be looked up by parts of time. */
export const SAME_CALL_WINDOW_US = 2 ** 22;

/** `a + sign × b`. */
export function addUsage(a: Usage, b: Usage, sign: 1 | -1 = 1): Usage {
  return {
    promptTokens: a.promptTokens + sign * b.promptTokens,
    completionTokens: a.completionTokens + sign * b.completionTokens,
    costNanoUsd: a.costNanoUsd + sign * b.costNanoUsd,
    promptCostNanoUsd: a.promptCostNanoUsd + sign * b.promptCostNanoUsd,
    completionCostNanoUsd: a.completionCostNanoUsd + sign * b.completionCostNanoUsd,
  };
}

/** Whether both are the same. */
export function isSameUsage(a: Usage, b: Usage): boolean {
  return (
    a.promptTokens === b.promptTokens &&
    a.completionTokens === b.completionTokens &&
    a.costNanoUsd === b.costNanoUsd &&
    a.promptCostNanoUsd === b.promptCostNanoUsd &&
    a.completionCostNanoUsd === b.completionCostNanoUsd
  );
}
