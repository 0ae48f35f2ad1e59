/**
 * What a server would show of a scenario, without one: decoded, normalised with the log records joined, and presented as
 * REST does. For a quick look while a dialect is written: it has no sums, and what is true is what a server answers.
 */
import type { Span } from '#domain/span';
import { toMicroseconds } from '#domain/timestamp';
import { presentSpan } from '#resources/spans/present';
import type { SpanRow } from '#store/spans/port';
import type { RestSpan } from '../harness/telemetry.ts';
import { normalizeSpan } from '../../src/normalize/normalize-span.ts';
import { type LoadedSpan, loadSpans } from './load-spans.ts';
import type { Reading, ShownSession } from './reading.ts';
import type { RecordedScenario } from './recording.ts';

/** Reads a scenario on its own. */
export function readInProcess({ requests }: RecordedScenario): Reading {
  const read = loadSpans(requests)
    .map(presentLoaded)
    .sort((a, b) => Number(a.span.startTimeUnixNano - b.span.startTimeUnixNano));
  return { spans: read.map(({ shown }) => shown), sessions: listSessions(read.map(({ span }) => span)) };
}

/** A span, and what REST shows of it. */
export interface ReadSpan {
  readonly span: Span;
  readonly shown: RestSpan;
}

/** Reads one span and presents it. */
export function presentLoaded({ original, scope, resource, records }: LoadedSpan): ReadSpan {
  const span = normalizeSpan(original, scope, resource, 0n, records);
  const row = {
    rowId: 0,
    startTimeUs: toMicroseconds(span.startTimeUnixNano),
    endTimeUs: toMicroseconds(span.endTimeUnixNano),
  } as SpanRow;
  return { span, shown: JSON.parse(presentSpan({ row, span, original, resource, scope, records: [] })) as RestSpan };
}

/** The session of a trace is that of its earliest span that names one. */
function listSessions(spans: readonly Span[]): ShownSession[] {
  const byTrace = new Map<string, string>();
  for (const { traceId, sessionId } of spans) {
    if (sessionId !== null && !byTrace.has(traceId)) byTrace.set(traceId, sessionId);
  }
  const bySession = Map.groupBy(byTrace, ([, sessionId]) => sessionId);
  return [...bySession].map(([sessionId, traces]) => ({
    session_id: sessionId,
    trace_ids: traces.map(([traceId]) => traceId),
  }));
}
