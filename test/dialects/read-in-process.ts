/**
 * What a server would show of a scenario, without one: decoded, normalised with the log records joined, and presented as
 * REST does. For a quick look while a dialect is written; what is true is what a running server answers.
 */
import { changeTrace } from '#derive/trace-rollup';
import { isSameUsage, NO_USAGE, type SpanFacts, toUsage } from '#derive/usage';
import type { Span } from '#domain/span';
import { toMicroseconds } from '#domain/timestamp';
import { presentSpan } from '#resources/spans/present';
import type { SpanRow } from '#store/spans/port';
import type { RestSpan } from '../harness/telemetry.ts';
import { normalizeSpan } from '../../src/normalize/normalize-span.ts';
import { countingSpans } from '../support/counting-spans.ts';
import { type LoadedSpan, loadSpans } from './load-spans.ts';
import type { Reading, ShownSession, ShownTrace } from './reading.ts';
import type { RecordedScenario } from './recording.ts';

/** Reads a scenario on its own. */
export function readInProcess({ requests }: RecordedScenario): Reading {
  const read = loadSpans(requests)
    .map(readSpan)
    .sort((a, b) => Number(a.span.startTimeUnixNano - b.span.startTimeUnixNano));
  return { spans: read.map(({ shown }) => shown), ...rollUp(read) };
}

interface ReadSpan {
  readonly span: Span;
  readonly scope: string;
  readonly shown: RestSpan;
}

function readSpan({ original, scope, resource, records }: LoadedSpan): ReadSpan {
  const span = normalizeSpan(original, scope, resource, 0n, records);
  const row = {
    rowId: 0,
    startTimeUs: toMicroseconds(span.startTimeUnixNano),
    endTimeUs: toMicroseconds(span.endTimeUnixNano),
  } as SpanRow;
  return { span, scope: scope.name, shown: JSON.parse(presentSpan({ row, span, original, resource, scope, records: [] })) as RestSpan };
}

function rollUp(spans: readonly ReadSpan[]): { traces: ShownTrace[]; sessions: ShownSession[] } {
  const described = spans.map(({ span, scope }, rowId) => {
    const facts = toFacts(span, rowId);
    return { ...facts, traceId: span.traceId, claims: !isSameUsage(facts.claim, NO_USAGE), scope };
  });
  const counting = new Set<SpanFacts>(countingSpans(described));
  const byTrace = Map.groupBy(described, ({ traceId }) => traceId);
  const changes = [...byTrace].map(([traceId, own]) => {
    const arriving = own.map((facts) => ({ facts, counted: counting.has(facts) ? facts.claim : NO_USAGE }));
    const nothingElse = { before: undefined, replaced: [], recounted: NO_USAGE, neighbours: new Set<string>() };
    return { traceId, ...changeTrace({ arriving, ...nothingElse }).after };
  });
  const traces = changes.map(({ traceId, usage }) => ({
    trace_id: traceId,
    token_count_prompt: usage.promptTokens,
    token_count_completion: usage.completionTokens,
  }));
  const bySession = Map.groupBy(
    changes.filter(({ session }) => session !== null),
    ({ session }) => session?.sessionId ?? '',
  );
  const sessions = [...bySession].map(([sessionId, own]) => ({
    session_id: sessionId,
    trace_ids: own.map(({ traceId }) => traceId),
    token_count_prompt: own.reduce((sum, { usage }) => sum + usage.promptTokens, 0),
    token_count_completion: own.reduce((sum, { usage }) => sum + usage.completionTokens, 0),
  }));
  return { traces, sessions };
}

function toFacts(span: Span, rowId: number): SpanFacts {
  return {
    rowId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    startUs: toMicroseconds(span.startTimeUnixNano),
    endUs: toMicroseconds(span.endTimeUnixNano),
    isError: span.statusCode === 'ERROR',
    kind: span.kind,
    sessionId: span.sessionId,
    claim: toUsage(span.tokenCounts, span.reportedCostUsd),
    responseId: span.responseId,
    instrumentationScopeId: 0,
  };
}
