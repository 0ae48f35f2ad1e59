/** What the store keeps of a span beside its original, before it has a row. */
import { createHash } from 'node:crypto';
import { boundedText } from '#derive/bounded-text';
import { type CarriedAnnotation, readCarriedAnnotations } from '#derive/carried-annotations';
import type { CallTokens } from '#derive/cost/amounts';
import type { ReportedCost } from '#derive/cost/claim';
import { lastSaid } from '#derive/last-said';
import { signsOfMember } from '#derive/narrow-codes';
import { type NarrowAttributes, narrowAttributes, preview } from '#derive/narrow-row';
import { describeCalls, describeResult } from '#derive/tool-talk';
import type { SpanIO, SpanKind, SpanStatusCode } from '#domain/span';
import type { SpanSummary } from '#normalize/normalized';
import { ATTR_INPUT_VALUE, ATTR_OUTPUT_VALUE, MIME_TYPE_JSON } from '#semconv/openinference';

/** Texts are bounded, times are in microseconds since the Unix epoch. */
export interface SpanDigest {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly statusCode: SpanStatusCode;
  readonly startUs: number;
  /** Not before the start; the start while the span is open. */
  readonly endUs: number;
  readonly isOpen: boolean;
  readonly sessionId: string | null;
  readonly userId: string | null;
  readonly modelName: string | null;
  readonly provider: string | null;
  /** Stands for the provider's id of the answer; equal for equal ids. */
  readonly responseKey: number | null;
  readonly tokens: CallTokens;
  readonly reportedCost: ReportedCost;
  readonly inputPreview: string | null;
  readonly outputPreview: string | null;
  readonly narrow: NarrowAttributes;
  /** The spans that its links name, each once. */
  readonly links: SpanSummary['linked'];
  /** Annotations in its attributes; `null` without any. */
  readonly carried: readonly CarriedAnnotation[] | null;
}

/** Reads off what is kept. */
export function digestSpan(span: SpanSummary): SpanDigest {
  const narrow = narrowAttributes(span.entries);
  const startUs = toMicroseconds(span.startTimeUnixNano);
  const { tokenCounts } = span;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: boundedText(span.name),
    kind: span.kind,
    statusCode: span.statusCode,
    startUs,
    endUs: Math.max(startUs, toMicroseconds(span.endTimeUnixNano)),
    isOpen: span.isOpen,
    sessionId: bounded(span.sessionId),
    userId: bounded(span.userId),
    modelName: bounded(span.modelName),
    provider: bounded(span.provider),
    responseKey: span.responseId === null ? null : toResponseKey(span.responseId),
    tokens: {
      prompt: tokenCounts.prompt,
      completion: tokenCounts.completion,
      cacheRead: tokenCounts.cacheRead,
      cacheWrite: tokenCounts.cacheWrite,
      promptAudio: tokenCounts.promptAudio,
      reasoning: tokenCounts.reasoning,
      completionAudio: tokenCounts.completionAudio,
    },
    reportedCost: {
      total: span.reportedCostUsd,
      prompt: span.reportedPromptCostUsd,
      completion: span.reportedCompletionCostUsd,
    },
    inputPreview: toolPreview(span, span.input, describeResult) ?? previewBeside(narrow, span.input, INPUT_SIGNS),
    outputPreview: toolPreview(span, span.output, describeCalls) ?? previewBeside(narrow, span.output, OUTPUT_SIGNS),
    narrow,
    links: span.linked,
    carried: readCarriedAnnotations(span),
  };
}

/**
 * What a model says to tools or hears from them says more than the JSON around it, also where the row holds that whole; none where
 * the span has no such text at all.
 */
function toolPreview(
  { kind, entries }: SpanSummary,
  io: SpanIO | null,
  describe: (entries: SpanSummary['entries']) => string | undefined,
): string | null {
  const text = kind === 'LLM' && io !== null ? describe(entries) : undefined;
  return text === undefined ? null : preview(text);
}

/**
 * What was said last in an input or output, else its beginning; none where the row's attributes hold it whole, as they do when
 * it is a short text.
 */
function previewBeside({ text }: NarrowAttributes, io: SpanIO | null, signs: readonly string[]): string | null {
  if (io === null || signs.some((sign) => text.includes(sign))) return null;
  return preview((io.mimeType === MIME_TYPE_JSON ? lastSaid(io.value) : undefined) ?? io.value);
}

const INPUT_SIGNS = signsOfMember(ATTR_INPUT_VALUE);
const OUTPUT_SIGNS = signsOfMember(ATTR_OUTPUT_VALUE);

function bounded(text: string | null): string | null {
  return text === null ? null : boundedText(text);
}

/** So many bits that two of the same few seconds are never alike by chance. */
function toResponseKey(responseId: string): number {
  return createHash('sha256').update(responseId).digest().readUIntBE(0, 6);
}

function toMicroseconds(unixNano: bigint): number {
  return Number(unixNano / 1000n);
}
