/** A span as its narrow row. */
import type { CallDistance, SpanFacts, Usage } from '#derive/usage';
import type { SpanDigest } from '../digest.ts';
import { toKindColumn, toStatusColumn } from './columns.ts';

/** What of a span decides sums. */
export function toSpanFacts(digest: SpanDigest, rowId: number, instrumentationScopeId: number): SpanFacts {
  return {
    rowId,
    spanId: digest.spanId,
    parentSpanId: digest.parentSpanId,
    startUs: digest.startUs,
    endUs: digest.endUs,
    isError: digest.statusCode === 'ERROR',
    kind: digest.kind,
    sessionId: digest.sessionId,
    claim: digest.claim,
    responseKey: digest.responseKey,
    instrumentationScopeId,
  };
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
  digest: SpanDigest,
  facts: SpanFacts,
  { counted, callDistance }: SpanCount,
  place: SpanPlace,
) {
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
    prompt_tokens: digest.promptTokens,
    completion_tokens: digest.completionTokens,
    cache_read_tokens: digest.cacheReadTokens,
    cache_write_tokens: digest.cacheWriteTokens,
    reasoning_tokens: digest.reasoningTokens,
    call_distance: callDistance,
    counted_prompt_tokens: counted.promptTokens,
    counted_completion_tokens: counted.completionTokens,
    cost_usd: digest.costUsd,
    counted_cost_nanousd: counted.costNanoUsd,
    input_preview: digest.inputPreview,
    output_preview: digest.outputPreview,
    otel_resource_id: place.otelResourceId,
    instrumentation_scope_id: facts.instrumentationScopeId,
    attributes: digest.narrow.text,
    omitted_attributes: digest.narrow.omitted,
    attributes_cut: digest.narrow.isCut ? 1 : 0,
  };
}
