/** A span as its narrow row. */
import { boundedText } from '#derive/bounded-text';
import { MAX_NARROW_TEXT, type NarrowAttributes, narrowAttributes, preview } from '#derive/narrow-row';
import { type SpanFacts, toUsage, type Usage } from '#derive/usage';
import type { Span, SpanIO } from '#domain/span';
import { toKindColumn, toStatusColumn } from './columns.ts';

/** What of a span decides sums. */
export function toSpanFacts(span: Span, rowId: number): SpanFacts {
  const startUs = toMicroseconds(span.startTimeUnixNano);
  return {
    rowId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    startUs,
    endUs: Math.max(startUs, toMicroseconds(span.endTimeUnixNano)),
    isError: span.statusCode === 'ERROR',
    isModelCall: span.kind === 'LLM',
    sessionId: bounded(span.sessionId),
    claim: toUsage(span.tokenCounts, span.reportedCostUsd),
  };
}

/** Where a narrow row belongs. */
export interface SpanPlace {
  readonly projectId: number;
  readonly traceRowId: number;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** The narrow row, its members in the order of the table's columns. */
export function toSpanValues(span: Span, facts: SpanFacts, counted: Usage, place: SpanPlace) {
  const narrow = narrowAttributes(span.attributes);
  return {
    id: facts.rowId,
    project_id: place.projectId,
    trace_row_id: place.traceRowId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    name: boundedText(span.name),
    kind: toKindColumn(span.kind),
    status: toStatusColumn(span.statusCode),
    start_us: facts.startUs,
    end_us: facts.endUs,
    session_id: facts.sessionId,
    user_id: bounded(span.userId),
    model_name: bounded(span.modelName),
    provider: bounded(span.provider),
    prompt_tokens: span.tokenCounts.prompt,
    completion_tokens: span.tokenCounts.completion,
    cache_read_tokens: span.tokenCounts.cacheRead,
    cache_write_tokens: span.tokenCounts.cacheWrite,
    reasoning_tokens: span.tokenCounts.reasoning,
    counted_prompt_tokens: counted.promptTokens,
    counted_completion_tokens: counted.completionTokens,
    cost_usd: span.reportedCostUsd,
    counted_cost_nanousd: counted.costNanoUsd,
    input_preview: previewBeside(narrow, span.input),
    output_preview: previewBeside(narrow, span.output),
    otel_resource_id: place.otelResourceId,
    instrumentation_scope_id: place.instrumentationScopeId,
    attributes: narrow.text,
    omitted_attributes: narrow.omitted,
    attributes_cut: narrow.isCut ? 1 : 0,
  };
}

/** The beginning of an input or output, unless the row's attributes hold it whole. */
function previewBeside(narrow: NarrowAttributes, io: SpanIO | null): string | null {
  if (io === null || (io.value.length <= MAX_NARROW_TEXT && !narrow.isCut)) return null;
  return preview(io.value);
}

function bounded(text: string | null): string | null {
  return text === null ? null : boundedText(text);
}

function toMicroseconds(unixNano: bigint): number {
  return Number(unixNano / 1000n);
}
