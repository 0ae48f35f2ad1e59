/** Spans of dialects as the product reads them, for tests of one dialect. */
import type { JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import type { Span } from '#domain/span';
import type { AnyValue, OtlpSpanEvent } from '#otlp/messages';
import type { SpanRecord } from '../../src/normalize/dialects/dialect.ts';
import { normalizeSpan } from '../../src/normalize/normalize-span.ts';
import { otlpResource, otlpScope, otlpSpan } from './otlp-span.ts';

/** What of a span a test of a dialect cares about. */
export interface DialectSpan {
  readonly name?: string;
  readonly scope?: string;
  readonly attributes?: Readonly<Record<string, AnyValue>>;
  readonly events?: readonly OtlpSpanEvent[];
  readonly records?: readonly SpanRecord[];
}

/** The span, read. */
export function readSpan({ name = 'step', scope, attributes = {}, events = [], records = [] }: DialectSpan): Span {
  return normalizeSpan(otlpSpan({ name, attributes, events }), otlpScope(scope), otlpResource(), 0n, records);
}

/** A log record at second 1. */
export function spanRecord(
  name: string,
  attributes: Readonly<Record<string, JsonValue>>,
  body?: JsonValue,
): SpanRecord {
  return { name, timeUnixNano: 1_000_000_000n, attributes, body };
}

/** The reading of a span by its dotted keys. */
export function flatAttributes(span: Span): Record<string, unknown> {
  return Object.fromEntries(flattenAttributes(span.reading));
}

/** The messages of one side of a span. */
export function messagesOf(span: Span, side: 'input' | 'output'): unknown[] {
  const llm = span.reading['llm'] as Record<string, unknown> | undefined;
  return ((llm?.[`${side}_messages`] ?? []) as { message: unknown }[]).map(({ message }) => message);
}
