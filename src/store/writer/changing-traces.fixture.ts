/** Traces to which everything happens that has a writer read something of them again. */
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';

/**
 * What becomes of a trace, by its number: it is new, grows, counts otherwise, loses what decided its times, root and session, and others
 * come into its session.
 */
export const STEPS: readonly ((trace: number) => readonly TestSpan[])[] = [
  (trace) => [span(trace, 1, {}), span(trace, 2, { parent: 1, kind: 'TOOL' })],
  (trace) => [span(trace, 3, { parent: 1, kind: 'LLM', tokens: 5 }), span(trace, 4, { parent: 3, kind: 'CHAIN' })],
  (trace) => [span(trace, 5, { parent: 4, kind: 'LLM', tokens: 3 })],
  (trace) => [span(trace, 1, { after: 50, session: `other ${trace}` })],
  (trace) => [10_000, 20_000].map((more) => span(trace + more, 1, { session: `session ${trace}` })),
];

interface SpanValues {
  readonly parent?: number;
  readonly kind?: string;
  readonly tokens?: number;
  /** Microseconds after the beginning of the trace. */
  readonly after?: number;
  readonly session?: string;
}

/** No two traces have a time or a sum in common. */
function span(trace: number, id: number, values: SpanValues): TestSpan {
  const { parent, kind = 'AGENT', tokens = 0, after = 10 + id, session = `session ${trace}` } = values;
  const startUs = trace * 1000 + after;
  return {
    traceId: traceId(trace),
    spanId: spanId(id),
    ...(parent !== undefined && { parentSpanId: spanId(parent) }),
    name: `${kind} ${id}`,
    startUs,
    endUs: startUs + 1,
    attributes: {
      'openinference.span.kind': kind,
      'session.id': session,
      ...(tokens > 0 && {
        'llm.token_count.prompt': tokens * trace,
        'gen_ai.response.id': `answer ${trace} ${id}`,
      }),
    },
  };
}
