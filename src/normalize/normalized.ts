/** What normalisation makes of an export request: spans that can be stored, and spans that cannot with the reason. */
import type { JsonValue } from '#base/json';
import type { Span, SpanLink } from '#domain/span';
import type { InstrumentationScope, OtelResource } from '#otlp/messages';

/** What lists, filters and sums know of a span. */
export type SpanFigures = Omit<
  Span,
  'attributes' | 'events' | 'links' | 'otelKind' | 'reading' | 'statusMessage' | 'tokenRemarks' | 'traceState'
>;

/** What a row keeps of a span. */
export interface SpanSummary extends SpanFigures {
  /** The spans that its links name, each once; links whose ids are no ids are left out. */
  readonly linked: readonly Pick<SpanLink, 'traceId' | 'spanId'>[];
  /** The span's attributes by dotted key; a value may be a part of the tree, with keys that go on from there. */
  readonly entries: Iterable<readonly [key: string, value: JsonValue]>;
}

/** One span, read, with the bytes it came as and what produced it. */
export interface NormalizedSpan {
  readonly span: SpanSummary;
  /** The original span message, after redaction. */
  readonly bytes: Uint8Array;
  readonly resource: OtelResource;
  readonly scope: InstrumentationScope;
  /** The project that this request names for the span; a trace that is already stored keeps its own. */
  readonly projectName: string;
}

/** Why a span was not stored: a word for counting and a sentence for the sender. */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly message: string;
}

/** The closed set of reasons a span can be refused for. */
export type RejectionReason =
  | 'malformed'
  | 'invalid_trace_id'
  | 'invalid_span_id'
  | 'time_out_of_range'
  | 'not_permitted'
  | 'unstorable';

/** The outcome of normalising one request: each of its spans is in exactly one list, in the order sent. */
export interface NormalizedRequest {
  readonly spans: readonly NormalizedSpan[];
  readonly rejected: readonly Rejection[];
}

/** What normalisation knows beside the request. */
export interface NormalizeContext {
  /** When the request arrived, in nanoseconds since the Unix epoch: the time of spans that have none. */
  readonly receivedUnixNano: bigint;
  /** The project that a request header demands; it beats the resource attribute. */
  readonly projectOverride: string | null;
  /** The project of spans for which nothing names one. */
  readonly defaultProject: string;
}
