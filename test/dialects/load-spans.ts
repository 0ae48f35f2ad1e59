/** The spans of recorded requests as the server decodes them, each with the log records that belong to it. */
import type { InstrumentationScope, OtelResource, OtlpSpan } from '#otlp/messages';
import { decodeExportLogsRequest, decodeExportTraceRequest } from '#otlp/protobuf/request';
import type { SpanRecord } from '../../src/normalize/dialects/dialect.ts';
import { toSpanRecord } from '../../src/normalize/log-record.ts';
import { findCall, protobufOf, readWire, type WireAttribute } from './evidence.ts';
import type { RecordedRequest } from './recording.ts';

/** What normalisation reads of one span. */
export interface LoadedSpan {
  readonly original: OtlpSpan;
  readonly scope: InstrumentationScope;
  readonly resource: OtelResource;
  readonly records: readonly SpanRecord[];
}

/** All spans of the requests, in the order sent. */
export function loadSpans(requests: readonly RecordedRequest[]): LoadedSpan[] {
  const records = joinRecords(requests);
  return requests
    .filter(({ signal }) => signal === 'traces')
    .flatMap((request) => decodeExportTraceRequest(protobufOf(request)).resourceSpans)
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map((original) => {
          if ('malformed' in original) throw new Error(original.malformed);
          const own = records.get(Buffer.from(original.spanId).toString('hex')) ?? [];
          return { original, scope, resource, records: own };
        }),
      ),
    );
}

/** The records of each span: by its id, or, where a record has none, of the only span of its scope at that time; and those that name its call. */
function joinRecords(requests: readonly RecordedRequest[]): ReadonlyMap<string, readonly SpanRecord[]> {
  const { spans } = readWire(requests);
  const joined = new Map<string, SpanRecord[]>();
  for (const { original, scope, resource } of listRecords(requests)) {
    const record = toSpanRecord(original);
    const around = spans.filter(
      (one) =>
        one.scope === scope.name &&
        serviceOf(one.resource) === resource.attributes.find(({ key }) => key === 'service.name')?.value &&
        BigInt(one.span.startTimeUnixNano ?? 0) <= record.timeUnixNano &&
        record.timeUnixNano <= BigInt(one.span.endTimeUnixNano ?? 0) + CLOCK_NANOSECONDS,
    );
    const only = around.length === 1 ? around[0]?.span.spanId : undefined;
    const spanId = original.spanId.length > 0 ? Buffer.from(original.spanId).toString('hex') : only;
    const traceId = Buffer.from(original.traceId).toString('hex');
    const requestId = record.attributes['request_id'];
    const called = findCall(spans, traceId, typeof requestId === 'string' ? requestId : undefined);
    for (const id of new Set([spanId, called?.spanId])) {
      if (id !== undefined) joined.set(id, [...(joined.get(id) ?? []), record]);
    }
  }
  for (const own of joined.values()) own.sort((a, b) => Number(a.timeUnixNano - b.timeUnixNano));
  return joined;
}

/** A record may be written just after its span ended. */
const CLOCK_NANOSECONDS = 1_000_000n;

function listRecords(requests: readonly RecordedRequest[]) {
  return requests
    .filter(({ signal }) => signal === 'logs')
    .flatMap((request) => decodeExportLogsRequest(protobufOf(request)).resourceLogs)
    .flatMap(({ resource, scopeLogs }) =>
      scopeLogs.flatMap(({ scope, logRecords }) =>
        logRecords.map((original) => {
          if ('malformed' in original) throw new Error(original.malformed);
          return { original, scope, resource };
        }),
      ),
    );
}

function serviceOf(resource: readonly WireAttribute[]): string | undefined {
  return resource.find(({ key }) => key === 'service.name')?.value?.stringValue;
}
