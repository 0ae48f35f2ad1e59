/** Examples of filters, which docs/filter-language.md shows; each is tried on the row beside them. */
import type { FilterGrain } from '#filter/tree';

/** A filter and what it says. */
export interface FilterExample {
  readonly text: string;
  readonly meaning: string;
  /** Whether the example row fulfils it. */
  readonly holds: boolean;
}

/** By grain, simple ones first. */
export const FILTER_EXAMPLES: Readonly<Record<FilterGrain, readonly FilterExample[]>> = {
  span: [
    example(
      `span_kind == 'LLM' and 'timeout' in output.value`,
      'model calls whose output contains "timeout", in any case',
      true,
    ),
    example(`status_code == 'ERROR' and start_time >= '2026-07-01T00:00:00Z'`, 'failed spans since July', false),
    example(`0.5 < latency_ms < 1000`, 'spans that took between half a millisecond and a second', true),
    example(`name in ['search', 'fetch']`, 'spans with one of two names', false),
    example(`llm.token_count.total > 1000 and llm.model_name == 'gpt-4o'`, 'long calls of one model', true),
    example(
      `attributes['llm.model_name'] != 'gpt-4o'`,
      'calls of any other model; spans that name no model are left out',
      false,
    ),
    example(`llm.model_name is None`, 'spans that name no model', false),
    example(`metadata['topic'] == 'programming'`, 'by a key of the metadata', true),
    example(`attributes['tag']['tags'][0] == 'prod'`, 'by the first tag', true),
    example(`'prod' in attributes['tag.tags']`, 'by any tag', true),
    example(`float(metadata['retries']) > 1`, 'an attribute as a number, even if it was sent as text', true),
    example(`parent_span is None`, 'roots: spans without a parent, or whose parent is not stored', true),
    example(`parent_id is None`, 'spans without a parent', true),
    example(
      `annotations['correctness'].label == 'incorrect' and annotations['correctness'].score < 0.5`,
      'by an annotation',
      true,
    ),
    example(
      `annotations['correctness'].identifier == 'reviewer-1'`,
      'by one of several annotations with the same name',
      true,
    ),
    example(`not annotations['reviewed']`, 'spans without that annotation', true),
    example(`'retry' in annotations['note'].explanation`, 'spans with a note that contains "retry"', true),
    example(`annotations['correctness'].annotator_kind == 'HUMAN'`, 'spans that a person judged', true),
    example(`any(a.score < 0.5 for a in annotations)`, 'spans with any low score', true),
    example(
      `document_annotations['relevance'].score < 0.5`,
      'spans that retrieved a document with a low relevance',
      true,
    ),
    example(
      `all(a.score >= 0.5 for a in document_annotations if a.name == 'relevance')`,
      'spans that retrieved no document with a lower relevance',
      false,
    ),
    example(`trace_annotations['quality'].score >= 0.8`, 'spans of traces with a good score', true),
    example(`total_cost > 0.05 and span_kind == 'LLM'`, 'calls that cost more than five cents', true),
    example(
      `any(d.token_type == 'cache_read' and d.tokens > 0 for d in cost_details)`,
      'calls that read from a cache',
      true,
    ),
    example(
      `sum(d.cost for d in cost_details if d.is_prompt) > 0.01`,
      'calls whose prompt cost more than a cent',
      true,
    ),
  ],
  trace: [
    example(`error_count > 0 and latency_ms > 1000`, 'slow traces in which something failed', true),
    example(`'refund' in input`, 'traces whose root span was asked about refunds', true),
    example(`user.id == 'u-17' and metadata['plan'] == 'pro'`, 'by attributes of the root span', true),
    example(`attributes['llm.model_name'] is None`, 'by any other attribute of the root span', true),
    example(
      `any(span.span_kind == 'LLM' and span.status_code == 'ERROR' for span in spans)`,
      'traces in which a model call failed',
      true,
    ),
    example(`len([s for s in spans if s.name == 'search']) > 3`, 'traces with more than three searches', false),
    example(
      `any(any(child.status_code == 'ERROR' for child in span.children) for span in spans)`,
      'traces in which a child span failed',
      true,
    ),
    example(
      `any(span.parent_span.span_kind == 'LLM' and span.span_kind == 'TOOL' for span in spans)`,
      'traces in which a model call called a tool',
      true,
    ),
    example(
      `max(s.latency_ms for s in spans if s.span_kind == 'TOOL') > 500`,
      'traces whose slowest tool took more than half a second',
      false,
    ),
    example(
      `sum(d.cost for d in span_cost_details if d.is_prompt) > 0.10`,
      'traces whose prompts cost more than ten cents',
      true,
    ),
    example(`trace_annotations['quality'].label == 'good'`, 'by an annotation of the trace', true),
    example(
      `any(a.name == 'hallucination' and a.score > 0.5 for a in span_annotations)`,
      'by annotations of its spans',
      true,
    ),
  ],
  session: [
    example(`num_traces > 5 and total_cost > 0.5`, 'long and expensive sessions', true),
    example(`num_traces_with_error / num_traces > 0.2`, 'sessions in which more than one trace in five failed', true),
    example(`'refund' in any_input`, 'sessions in which any input mentions a refund', true),
    example(`last_output is None`, 'sessions whose last trace has no output', false),
    example(`duration_ms < 60000`, 'sessions shorter than a minute', false),
    example(
      `any(len([s for s in trace.spans if s.span_kind == 'TOOL']) > 5 for trace in traces)`,
      'sessions with more than five tool calls in one trace',
      false,
    ),
    example(`session_annotations['satisfaction'].score < 0.5`, 'by an annotation of the session', true),
  ],
};

function example(text: string, meaning: string, holds: boolean): FilterExample {
  return { text, meaning, holds };
}
