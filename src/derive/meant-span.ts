/**
 * Which span a log record without a span id belongs to. Pure: it depends on which spans there are, and not on what came
 * first.
 *
 * Those of the record's own instrumentation scope come first; only where there is none, one that names the same
 * conversation can be meant. Spans of the scope that lie one in the other all run when the record is made, so the
 * innermost made it. Wherever more than one can be meant, none is.
 */

/** A span of the record's service that ran when the record was made. */
export interface CandidateSpan {
  readonly rowId: number;
  readonly traceRowId: number;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** Whether the record has the same instrumentation scope. */
  readonly isOfScope: boolean;
  /** Whether the record names the same conversation. */
  readonly isOfConversation: boolean;
}

/** The span that is meant; `undefined` where there is none, or more than one. */
export function findMeantSpan<Candidate extends CandidateSpan>(
  candidates: readonly Candidate[],
): Candidate | undefined {
  const ofScope = candidates.filter((span) => span.isOfScope);
  if (ofScope.length > 0) return findInnermost(ofScope);
  const [only, ...others] = candidates.filter((span) => span.isOfConversation);
  return others.length === 0 ? only : undefined;
}

/** The span that all others are around, each the parent of the next one. */
function findInnermost<Candidate extends CandidateSpan>(spans: readonly Candidate[]): Candidate | undefined {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const isParent = new Set<string>();
  for (const { spanId, parentSpanId } of spans) {
    if (parentSpanId !== null && parentSpanId !== spanId) isParent.add(parentSpanId);
  }
  const [innermost, ...others] = spans.filter((span) => !isParent.has(span.spanId));
  if (innermost === undefined || others.length > 0 || byId.size < spans.length) return undefined;
  if (spans.some((span) => span.traceRowId !== innermost.traceRowId)) return undefined;
  let around = 0;
  for (let span = parentOf(byId, innermost); span !== undefined; span = parentOf(byId, span)) {
    // A circle of parents has no innermost span; one beside the chain would be counted for ever.
    if (++around >= spans.length) return undefined;
  }
  return around === spans.length - 1 ? innermost : undefined;
}

function parentOf<Candidate extends CandidateSpan>(
  byId: ReadonlyMap<string, Candidate>,
  { spanId, parentSpanId }: Candidate,
): Candidate | undefined {
  return parentSpanId === null || parentSpanId === spanId ? undefined : byId.get(parentSpanId);
}
