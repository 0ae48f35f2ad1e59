/** What the tree and the timeline know of a span: light enough to hold 50 000 of them. */

/** A span's kind, as the API names it. */
export type SpanKind =
  | 'agent'
  | 'chain'
  | 'decision'
  | 'embedding'
  | 'evaluator'
  | 'guardrail'
  | 'llm'
  | 'prompt'
  | 'reranker'
  | 'retriever'
  | 'tool'
  | 'unknown';

/** How a span ended. */
export type SpanStatus = 'ERROR' | 'OK' | 'UNSET';

/** A span as the API gives it to the tree. */
export interface SpanRecord {
  readonly id: string;
  readonly spanId: string;
  readonly parentId: string | null | undefined;
  readonly name: string;
  readonly spanKind: SpanKind;
  readonly statusCode: SpanStatus;
  readonly startTime: string;
  readonly endTime: string | null | undefined;
  readonly tokenCountTotal: number | null | undefined;
  readonly countsInSums: boolean;
  /** Of the span by itself. */
  readonly costUsd: number | null;
  readonly modelName: string | null | undefined;
}

/** A span of a trace, without what it read and wrote. */
export interface TraceSpan {
  /** Its global id. */
  readonly id: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** Since the epoch, with fractions. */
  readonly startMs: number;
  /** Null while the span is open. */
  readonly endMs: number | null;
  readonly tokenCount: number | null;
  /** Whether they count in the sums of the trace: those of a wrapper are counted in what it wraps. */
  readonly countsInSums: boolean;
  /** Of its own, as it counts in the sums of the trace; 0 where it costs nothing, or that is not known. */
  readonly costNanoUsd: number;
  readonly modelName: string | null;
}

/** The span that the API gave. */
export function toTraceSpan(record: SpanRecord): TraceSpan {
  return {
    id: record.id,
    spanId: record.spanId,
    parentId: record.parentId ?? null,
    name: record.name,
    kind: record.spanKind,
    status: record.statusCode,
    startMs: parseInstantMs(record.startTime),
    endMs: record.endTime == null ? null : parseInstantMs(record.endTime),
    tokenCount: record.tokenCountTotal ?? null,
    countsInSums: record.countsInSums,
    costNanoUsd: countsAsCost(record) ? Math.round((record.costUsd ?? 0) * 1e9) : 0,
    modelName: record.modelName ?? null,
  };
}

/** A call whose tokens nobody told has a cost alone, which counts. */
function countsAsCost({ countsInSums, tokenCountTotal }: SpanRecord): boolean {
  return countsInSums || (tokenCountTotal ?? 0) === 0;
}

/** Milliseconds since the epoch; the digits behind the milliseconds, which `Date` drops, are fractions. */
export function parseInstantMs(text: string): number {
  const match = /^(.*:\d\d)(\.\d+)(.*)$/.exec(text);
  if (match === null) return Date.parse(text);
  const [, seconds, fraction, zone] = match;
  return Date.parse(`${seconds}${zone}`) + Number(`0${fraction}`) * 1000;
}

/** Puts spans into what is known by span id; a span that is known already is replaced. Returns how many are new or differ. */
export function addSpans(known: Map<string, TraceSpan>, spans: Iterable<TraceSpan>): number {
  let changeCount = 0;
  for (const span of spans) {
    const before = known.get(span.spanId);
    if (before !== undefined && isSame(before, span)) continue;
    known.set(span.spanId, span);
    changeCount++;
  }
  return changeCount;
}

function isSame(one: TraceSpan, other: TraceSpan): boolean {
  return (Object.keys(one) as (keyof TraceSpan)[]).every((key) => one[key] === other[key]);
}
