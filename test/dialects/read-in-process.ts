/**
 * What a server would show of a scenario, without one: decoded, normalised with the log records joined, and presented as
 * REST does. For a quick look while a dialect is written; what is true is what a running server answers.
 */
import type { JsonValue } from '#base/json';
import { jsonObject } from '#base/json';
import { changeTrace } from '#derive/trace-rollup';
import { type SpanFacts, toUsage } from '#derive/usage';
import type { Span } from '#domain/span';
import { toMicroseconds } from '#domain/timestamp';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { presentSpan } from '#resources/spans/present';
import type { SpanRow } from '#store/spans/port';
import type { RestSpan } from '../harness/telemetry.ts';
import type { SpanRecord } from '../../src/normalize/dialects/dialect.ts';
import { normalizeSpan } from '../../src/normalize/normalize-span.ts';
import { protobufOf, readWire, type Wire, type WireAttribute, type WireRecord, type WireValue } from './evidence.ts';
import type { Reading, ShownSession, ShownTrace } from './reading.ts';
import type { RecordedScenario } from './recording.ts';

/** Reads a scenario on its own. */
export function readInProcess({ requests }: RecordedScenario): Reading {
  const records = joinRecords(readWire(requests));
  const read = requests
    .filter(({ signal }) => signal === 'traces')
    .flatMap((request) => readSpans(protobufOf(request), records))
    .sort((a, b) => Number(a.span.startTimeUnixNano - b.span.startTimeUnixNano));
  return { spans: read.map(({ shown }) => shown), ...rollUp(read.map(({ span }) => span)) };
}

interface ReadSpan {
  readonly span: Span;
  readonly shown: RestSpan;
}

function readSpans(body: Uint8Array<ArrayBuffer>, records: ReadonlyMap<string, readonly SpanRecord[]>): ReadSpan[] {
  return decodeExportTraceRequest(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.flatMap((original) => {
        if ('malformed' in original) throw new Error(original.malformed);
        const own = records.get(Buffer.from(original.spanId).toString('hex')) ?? [];
        const span = normalizeSpan(original, scope, resource, 0n, own);
        const [startTimeUs, endTimeUs] = [span.startTimeUnixNano, span.endTimeUnixNano].map(toMicroseconds);
        const row = { rowId: 0, startTimeUs, endTimeUs } as SpanRow;
        return [{ span, shown: JSON.parse(presentSpan({ row, span, original, resource, scope })) as RestSpan }];
      }),
    ),
  );
}

function rollUp(spans: readonly Span[]): { traces: ShownTrace[]; sessions: ShownSession[] } {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const changes = [...byTrace].map(([traceId, own]) => {
    const arriving = own.map(toFacts);
    return { traceId, ...changeTrace({ before: undefined, arriving, replaced: [], neighbours: [] }).after };
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
    isModelCall: span.kind === 'LLM',
    sessionId: span.sessionId,
    claim: toUsage(span.tokenCounts, span.reportedCostUsd),
  };
}

/** The records of each span: by its id, or, where a record has none, of the only span of its scope at that time. */
function joinRecords({ spans, records }: Wire): ReadonlyMap<string, readonly SpanRecord[]> {
  const joined = new Map<string, SpanRecord[]>();
  for (const { record, scope, resource } of records) {
    const time = BigInt(record.timeUnixNano ?? record.observedTimeUnixNano ?? 0);
    const service = serviceOf(resource);
    const around = spans.filter(
      (one) =>
        one.scope === scope &&
        serviceOf(one.resource) === service &&
        BigInt(one.span.startTimeUnixNano ?? 0) <= time &&
        time <= BigInt(one.span.endTimeUnixNano ?? 0) + 1_000_000n,
    );
    const spanId = record.spanId || (around.length === 1 ? around[0]?.span.spanId : undefined);
    if (spanId === undefined) continue;
    joined.set(spanId, [...(joined.get(spanId) ?? []), toRecord(record, time)]);
  }
  for (const own of joined.values()) own.sort((a, b) => Number(a.timeUnixNano - b.timeUnixNano));
  return joined;
}

function serviceOf(resource: readonly WireAttribute[]): string | undefined {
  return resource.find(({ key }) => key === 'service.name')?.value?.stringValue;
}

function toRecord({ eventName, body, attributes = [] }: WireRecord, timeUnixNano: bigint): SpanRecord {
  const read = toJson({ kvlistValue: { values: attributes } }) as SpanRecord['attributes'];
  const named = read['event.name'];
  return {
    name: eventName || (typeof named === 'string' ? named : ''),
    timeUnixNano,
    attributes: read,
    body: body === undefined ? undefined : toJson(body),
  };
}

function toJson(value: WireValue | undefined): JsonValue {
  if (value?.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(toJson);
  if (value?.kvlistValue !== undefined) {
    const object = jsonObject();
    for (const entry of value.kvlistValue.values ?? []) object[entry.key] = toJson(entry.value);
    return object;
  }
  if (value?.intValue !== undefined) return Number(value.intValue);
  if (value?.doubleValue !== undefined) return Number(value.doubleValue);
  return value?.stringValue ?? value?.boolValue ?? value?.bytesValue ?? null;
}
