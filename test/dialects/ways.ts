/** The ways in which the same telemetry can arrive. */
import { encodeJsonWithOracle } from '../oracle/otlp.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { jsonOf, protobufOf } from './evidence.ts';
import type { RecordedRequest } from './recording.ts';

/** One way, as a name and what it makes of the requests of a folder. */
export interface Way {
  readonly name: string;
  readonly arrange: (requests: readonly RecordedRequest[]) => readonly RecordedRequest[];
}

/** Every way, or those that other tests say least of: encodings and repetitions have tests of their own. */
export const WAYS: readonly Way[] = [
  { name: 'as recorded', arrange: (requests) => requests },
  { name: 'logs after spans', arrange: (requests) => bySignal(requests, 'traces', 'logs') },
  { name: 'one span or record in a request', arrange: (requests) => splitAll(requests) },
  ...orInLongRun<readonly Way[]>(
    [],
    [
      { name: 'as JSON', arrange: (requests) => requests.map(toJson) },
      {
        name: 'as protobuf over gRPC',
        arrange: (requests) => requests.map((one) => ({ ...toProtobuf(one), isGrpc: true })),
      },
      { name: 'logs before spans', arrange: (requests) => bySignal(requests, 'logs', 'traces') },
      { name: 'everything twice', arrange: (requests) => [...requests, ...requests] },
    ],
  ),
];

function toProtobuf(request: RecordedRequest): RecordedRequest {
  return { ...request, encoding: 'application/x-protobuf', isGrpc: false, body: protobufOf(request) };
}

function toJson(request: RecordedRequest): RecordedRequest {
  return { ...request, encoding: 'application/json', isGrpc: false, body: Buffer.from(jsonOf(request)) };
}

/** Nothing where a signal is missing: it is the same as another way then. */
function bySignal(
  requests: readonly RecordedRequest[],
  first: RecordedRequest['signal'],
  second: RecordedRequest['signal'],
): readonly RecordedRequest[] {
  const [before, after] = [first, second].map((signal) => requests.filter((one) => one.signal === signal));
  return before === undefined || after === undefined || before.length === 0 || after.length === 0
    ? []
    : [...before, ...after];
}

/** The last span first; records in their order, which is all that tells it where several have the same time. */
function splitAll(requests: readonly RecordedRequest[]): RecordedRequest[] {
  const { traces = [], logs = [] } = Object.groupBy(requests.flatMap(split), ({ signal }) => signal);
  return [...traces.toReversed(), ...logs];
}

/** A request for each span or log record, with what stands around it. */
function split(request: RecordedRequest): RecordedRequest[] {
  const message = JSON.parse(jsonOf(request)) as Record<string, Around[]>;
  const [outer, scopes, leaves, type] = LEVELS[request.signal];
  return (message[outer] ?? []).flatMap((around) =>
    ((around[scopes] ?? []) as Around[]).flatMap((scope) =>
      ((scope[leaves] ?? []) as unknown[]).map((leaf) => {
        const one = { [outer]: [{ ...around, [scopes]: [{ ...scope, [leaves]: [leaf] }] }] };
        const body = encodeJsonWithOracle(type, JSON.stringify(one));
        return { ...request, encoding: 'application/x-protobuf' as const, isGrpc: false, body };
      }),
    ),
  );
}

type Around = Readonly<Record<string, unknown>>;

const LEVELS = {
  traces: ['resourceSpans', 'scopeSpans', 'spans', 'ExportTraceServiceRequest'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords', 'ExportLogsServiceRequest'],
} as const;
