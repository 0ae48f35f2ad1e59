/** A database that spans are written to, and what must count of them. */
import type { SpanKind } from '#domain/span';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { otlpSpan, spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { countingSpans } from '../../../../test/support/counting-spans.ts';
import { openTestEngine } from '../../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../../engine/test-engine.fixture.ts';
import { openTestWriter } from '../../logs/write/open-writer.fixture.ts';
import { toIncoming } from '../../incoming/request.ts';

/** A span as far as it matters to what counts; ids are small numbers. */
export interface PlainSpan {
  readonly trace: number;
  readonly id: number;
  readonly parent: number | null;
  readonly kind: SpanKind;
  /** Tokens of input that it claims; twice as many of output. */
  readonly tokens: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly scope: string;
  readonly responseId: string | null;
  readonly session: string | null;
}

/** A writer with what it wrote. */
export interface CountingStore {
  readonly engine: TestEngine;
  /** Writes spans in one commit. */
  send(spans: readonly PlainSpan[]): Promise<void>;
}

/** Opens an empty store, or a writer that knows nothing yet of what another wrote. */
export async function openCountingStore(existing?: TestEngine): Promise<CountingStore> {
  const engine = existing ?? (await openTestEngine());
  const { writer } = await openTestWriter({ engine });
  return {
    engine,
    async send(spans) {
      const context = { receivedUnixNano: 1n, projectOverride: null, defaultProject: 'default' };
      const request = decodeExportTraceRequest(transcodeJsonRequest(toBody(spans)));
      await writer.write([toIncoming(normalizeRequest(request, context))]);
    },
  };
}

function toBody(spans: readonly PlainSpan[]): Uint8Array<ArrayBuffer> {
  const scopeSpans = spans.map((span) => ({ scope: { name: span.scope }, spans: [otlpSpan(toTestSpan(span))] }));
  return new TextEncoder().encode(JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans }] }));
}

function toTestSpan({ trace, id, parent, kind, tokens, startUs, endUs, responseId, session }: PlainSpan) {
  return {
    traceId: traceId(trace),
    spanId: spanId(id),
    ...(parent !== null && { parentSpanId: spanId(parent) }),
    startUs,
    endUs,
    attributes: {
      'openinference.span.kind': kind,
      ...(tokens > 0 && { 'llm.token_count.prompt': tokens, 'llm.token_count.completion': 2 * tokens }),
      ...(responseId !== null && { 'gen_ai.response.id': responseId }),
      ...(session !== null && { 'session.id': session }),
    },
  };
}

/** A span that counts nothing. */
export const BASE: PlainSpan = {
  trace: 1,
  id: 1,
  parent: null,
  kind: 'CHAIN',
  tokens: 0,
  startUs: 1,
  endUs: 2,
  scope: 'a',
  responseId: null,
  session: null,
};

/** The spans whose tokens count, by an evaluation that looks at all of them. */
export function whatCounts(spans: readonly PlainSpan[]): ReadonlySet<PlainSpan> {
  const described = spans.map((span) => ({
    ...span,
    traceId: traceId(span.trace),
    spanId: spanId(span.id),
    parentSpanId: span.parent === null ? null : spanId(span.parent),
    claims: span.tokens > 0,
    span,
  }));
  return new Set(countingSpans(described).map(({ span }) => span));
}
