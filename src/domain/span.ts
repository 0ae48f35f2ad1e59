/** A span: one operation of an application, as every part of the product knows it. */
import type { AttributeTree } from './attributes.ts';
import type { FlatAttribute } from './flat-order.ts';
import type { TokenRemark } from './token-remark.ts';

/** What kind of step a span is, in OpenInference's words; `UNKNOWN` where nothing tells. */
export const SPAN_KINDS = [
  'LLM',
  'CHAIN',
  'TOOL',
  'RETRIEVER',
  'EMBEDDING',
  'AGENT',
  'RERANKER',
  'GUARDRAIL',
  'EVALUATOR',
  'PROMPT',
  'DECISION',
  'UNKNOWN',
] as const;

/** One of {@link SPAN_KINDS}. */
export type SpanKind = (typeof SPAN_KINDS)[number];

/** How an operation ended. */
export const SPAN_STATUS_CODES = ['UNSET', 'OK', 'ERROR'] as const;

/** One of {@link SPAN_STATUS_CODES}; `UNSET` where the producer said nothing. */
export type SpanStatusCode = (typeof SPAN_STATUS_CODES)[number];

/** A timestamped record inside a span; its attributes stay flat, as they were sent. */
export interface SpanEvent {
  readonly name: string;
  /** Nanoseconds since the Unix epoch. */
  readonly timeUnixNano: bigint;
  readonly attributes: AttributeTree;
}

/** A pointer to another span, in this trace or another. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly attributes: AttributeTree;
}

/**
 * Tokens that one call used. `prompt` includes cached and audio tokens, `completion` includes reasoning and audio, and
 * `total` is the sum of both where both are known; `null` where the producer did not say.
 */
export interface TokenCounts {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
  readonly promptAudio: number | null;
  readonly completionAudio: number | null;
}

/** The whole input or output of an operation. */
export interface SpanIO {
  readonly value: string;
  readonly mimeType: string;
}

/** A span, read from its original bytes; recomputable from them at any time. */
export interface Span {
  /** 32 lower-case hex digits; the text as sent where a REST caller gave something else. */
  readonly traceId: string;
  /** 16 lower-case hex digits; the text as sent where a REST caller gave something else. */
  readonly spanId: string;
  /** As sent; `null` for a root. The parent may be unknown here. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** OTel's own kind: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly otelKind: number;
  /** Nanoseconds since the Unix epoch. */
  readonly startTimeUnixNano: bigint;
  /** Nanoseconds since the Unix epoch; as sent, so it can lie before the start. */
  readonly endTimeUnixNano: bigint;
  /** Whether it has not ended, as far as its producer says: no end was sent, or one before the start. */
  readonly isOpen: boolean;
  readonly statusCode: SpanStatusCode;
  readonly statusMessage: string;
  /** What was sent, and what dialects translate into the names of OpenInference. */
  readonly attributes: AttributeTree;
  /** The attributes flattened, in their order, where that needs no tree and nothing is derived. */
  readonly flatAttributes?: readonly FlatAttribute[] | undefined;
  /** The attributes completed with what is derived from the rest of the span; the same object where nothing is. */
  readonly reading: AttributeTree;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  readonly traceState: string;
  /** The conversation this span says it belongs to, trimmed, never empty. */
  readonly sessionId: string | null;
  readonly userId: string | null;
  readonly modelName: string | null;
  readonly provider: string | null;
  /** The provider's id of the answer, of a model call. */
  readonly responseId: string | null;
  readonly tokenCounts: TokenCounts;
  /** Contradictions among the counts, and conventions that were found out. */
  readonly tokenRemarks: readonly TokenRemark[];
  /** What the producer says it cost, in US dollars; the sum of both sides where only those are said. */
  readonly reportedCostUsd: number | null;
  readonly reportedPromptCostUsd: number | null;
  readonly reportedCompletionCostUsd: number | null;
  readonly input: SpanIO | null;
  readonly output: SpanIO | null;
}
