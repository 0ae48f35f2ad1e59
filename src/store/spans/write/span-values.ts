/** A span as its narrow row. */
import type { CallCost } from '#derive/cost/amounts';
import { type ClaimedCost, claimCost } from '#derive/cost/claim';
import type { PriceTable } from '#derive/cost/price-table';
import { type CallDistance, type SpanFacts, toUsage, type Usage } from '#derive/usage';
import type { SpanDigest } from '../digest.ts';
import { toKindColumn, toStatusColumn } from '../rows/columns.ts';
import { toPartCostValues } from '../rows/cost-columns.ts';

/** What a call cost: what counts of what is known, and what the price table comes to. */
export interface SpanCost {
  readonly claimed: ClaimedCost | null;
  readonly computed: CallCost | null;
}

/** A span with what is found out about it before it has a row. */
export interface RatedSpan {
  readonly digest: SpanDigest;
  /** What of it decides sums. */
  readonly facts: SpanFacts;
  readonly cost: SpanCost;
}

/** Prices the span, and reads off what decides sums. */
export function rateSpan(
  digest: SpanDigest,
  rowId: number,
  instrumentationScopeId: number,
  prices: Pick<PriceTable, 'priceSpan'>,
): RatedSpan {
  const computed = prices.priceSpan(digest, digest.tokens);
  const claimed = claimCost(digest.reportedCost, computed);
  const facts = {
    rowId,
    spanId: digest.spanId,
    parentSpanId: digest.parentSpanId,
    startUs: digest.startUs,
    endUs: digest.endUs,
    isError: digest.statusCode === 'ERROR',
    kind: digest.kind,
    sessionId: digest.sessionId,
    claim: toUsage(digest.tokens, claimed),
    responseKey: digest.responseKey,
    instrumentationScopeId,
  };
  return { digest, facts, cost: { claimed, computed } };
}

/** Where a narrow row belongs. */
export interface SpanPlace {
  readonly projectId: number;
  readonly traceRowId: number;
  readonly otelResourceId: number;
}

/** What follows from a span and those around it. */
export interface SpanCount {
  readonly counted: Usage;
  readonly callDistance: CallDistance;
}

/** The narrow row, its members in the order of the table's columns. */
export function toSpanValues(
  { digest, facts, cost }: RatedSpan,
  { counted, callDistance }: SpanCount,
  place: SpanPlace,
) {
  const { tokens, reportedCost, narrow } = digest;
  return {
    id: facts.rowId,
    project_id: place.projectId,
    trace_row_id: place.traceRowId,
    span_id: digest.spanId,
    parent_span_id: digest.parentSpanId,
    name: digest.name,
    kind: toKindColumn(digest.kind),
    status: toStatusColumn(digest.statusCode),
    start_us: digest.startUs,
    end_us: digest.isOpen ? null : digest.endUs,
    session_id: digest.sessionId,
    user_id: digest.userId,
    model_name: digest.modelName,
    provider: digest.provider,
    response_key: digest.responseKey,
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    cache_read_tokens: tokens.cacheRead,
    cache_write_tokens: tokens.cacheWrite,
    reasoning_tokens: tokens.reasoning,
    call_distance: callDistance,
    counted_prompt_tokens: counted.promptTokens,
    counted_completion_tokens: counted.completionTokens,
    cost_usd: reportedCost.total,
    counted_cost_nanousd: counted.costNanoUsd,
    input_preview: digest.inputPreview,
    output_preview: digest.outputPreview,
    otel_resource_id: place.otelResourceId,
    instrumentation_scope_id: facts.instrumentationScopeId,
    attributes: narrow.text,
    omitted_attributes: narrow.omitted,
    attributes_cut: narrow.isCut ? 1 : 0,
    prompt_audio_tokens: tokens.promptAudio,
    completion_audio_tokens: tokens.completionAudio,
    claimed_cost_nanousd: cost.claimed?.total ?? null,
    claimed_prompt_cost_nanousd: cost.claimed?.prompt ?? null,
    claimed_completion_cost_nanousd: cost.claimed?.completion ?? null,
    counted_prompt_cost_nanousd: counted.promptCostNanoUsd,
    counted_completion_cost_nanousd: counted.completionCostNanoUsd,
    ...toPartCostValues(cost.computed),
  };
}
