import { z } from 'zod';
import { formatGlobalId } from '#base/global-id';
import { formatTimestamp } from '#domain/timestamp';
import type { Original, OriginalFormat, SpanRow, TraceRow } from '#store/spans/port';
import { summarizeSums } from '../costs/present.ts';

/** What paths of a trace name. */
export const TRACE_PARAMS = z.object({ trace_identifier: z.string().describe('Id or OpenTelemetry id of a trace.') });

/** The content type of each form of an original. */
export const ORIGINAL_CONTENT_TYPES: Readonly<Record<OriginalFormat, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** A trace as REST lists it; spans are `null` where they were not asked for. */
export function presentTrace(trace: TraceRow, spans: readonly SpanRow[] | null) {
  const cost = summarizeSums(trace);
  return {
    id: formatGlobalId('Trace', trace.rowId),
    trace_id: trace.traceId,
    project_id: formatGlobalId('Project', trace.projectRowId),
    start_time: formatTimestamp(trace.startTimeUs),
    end_time: formatTimestamp(trace.endTimeUs),
    token_count_prompt: trace.promptTokenCount,
    token_count_completion: trace.completionTokenCount,
    token_count_total: trace.promptTokenCount + trace.completionTokenCount,
    // Under the names that filters of traces have for them.
    latency_ms: (trace.endTimeUs - trace.startTimeUs) / 1000,
    num_spans: trace.spanCount,
    error_count: trace.errorCount,
    prompt_cost: cost.prompt.cost,
    completion_cost: cost.completion.cost,
    total_cost: cost.total.cost,
    spans: spans === null ? null : spans.map(presentTraceSpan),
  };
}

function presentTraceSpan(span: SpanRow) {
  return {
    id: formatGlobalId('Span', span.rowId),
    span_id: span.spanId,
    parent_id: span.parentSpanId,
    name: span.name,
    span_kind: span.kind,
    status_code: span.statusCode,
    start_time: formatTimestamp(span.startTimeUs),
    end_time: formatTimestamp(span.endTimeUs),
  };
}

/** The form that a header `Accept` asks for: protobuf, unless it names JSON alone of the two. */
export function preferredOriginalFormat(accept = ''): OriginalFormat {
  const types = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  const isJsonAlone = types.includes(ORIGINAL_CONTENT_TYPES.json) && !types.includes(ORIGINAL_CONTENT_TYPES.protobuf);
  return isJsonAlone ? 'json' : 'protobuf';
}

/** An original with the content type of its form. */
export function presentOriginal({ body }: Pick<Original, 'body'>, format: OriginalFormat) {
  return {
    contentType: ORIGINAL_CONTENT_TYPES[format],
    headers: { vary: 'accept' },
    body,
  };
}
