/**
 * What counts in sums by looking at all spans at once, with nothing remembered: docs/decisions/0003-what-counts.md in the
 * plainest way, to hold the server's bookkeeping to.
 */
import type { SpanKind } from '#domain/span';

/** What of a span decides whether it counts; all are of one project, and no two calls start together. */
export interface DescribedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly kind: SpanKind;
  /** Whether it says that it used anything. */
  readonly claims: boolean;
  readonly startUs: number;
  readonly endUs: number;
  /** Which instrumentation sent it. */
  readonly scope: string;
  readonly responseId: string | null;
}

/** The spans whose claims count, each (trace id, span id) being there once. */
export function countingSpans<Span extends DescribedSpan>(spans: readonly Span[]): readonly Span[] {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const calls = spans.filter((span) => isCall(span) && !wrapsCall(span, byTrace.get(span.traceId) ?? []));
  return calls.filter((call) => !repeatsCall(call, calls));
}

const GROUPING: ReadonlySet<SpanKind> = new Set(['LLM', 'CHAIN', 'AGENT', 'PROMPT', 'DECISION', 'UNKNOWN']);

const MAX_BETWEEN = 16;

function isCall({ kind, claims }: DescribedSpan): boolean {
  return kind === 'LLM' && claims;
}

function wrapsCall(span: DescribedSpan, spans: readonly DescribedSpan[]): boolean {
  const seen = new Set<string>();
  let level = [span.spanId];
  for (let between = 0; between <= MAX_BETWEEN; between++) {
    const parents = new Set(level);
    const below = spans.filter(
      ({ parentSpanId, spanId }) => parentSpanId !== null && parents.has(parentSpanId) && parentSpanId !== spanId,
    );
    if (below.some(isCall)) return true;
    level = below.filter(({ kind, spanId }) => GROUPING.has(kind) && !seen.has(spanId)).map(({ spanId }) => spanId);
    for (const spanId of level) seen.add(spanId);
  }
  return false;
}

function repeatsCall(call: DescribedSpan, calls: readonly DescribedSpan[]): boolean {
  if (call.responseId === null) return false;
  const before = calls
    .filter(({ responseId }) => responseId === call.responseId)
    .toSorted((a, b) => a.startUs - b.startUs);
  const earlier = before[before.indexOf(call) - 1];
  if (earlier === undefined || earlier.scope === call.scope || call.startUs - earlier.startUs >= 2 ** 22) return false;
  return earlier.endUs > call.startUs || earlier.startUs === call.startUs;
}
