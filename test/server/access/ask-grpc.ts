/** Calls a method over gRPC as one caller: without a message where the table refuses, with one where it does not. */
import { encodeRequest } from '../../harness/otlp-client.ts';
import { logsRequest, otlpSpan, requestOf, spanId, traceId } from '../../harness/otlp-json.ts';
import { frameMessage } from '#server/otlp-grpc/framing';
import type { GrpcCaller } from '../callers.fixture.ts';
import type { Row } from './declared.ts';
import { type Outcome, type Verdict, verdictOfText } from './outcome.ts';
import type { Principal } from './credentials.ts';
import type { World } from './world.ts';

/** What came of it. */
export async function askGrpc(
  world: World,
  grpc: GrpcCaller,
  path: string,
  principal: Principal,
  row: Row,
): Promise<Outcome> {
  const place = principal.column === 'other project' ? world.other : world.own;
  const needsMessage = row[principal.column] || (row['own project'] && principal.column === 'other project');
  const headers = { ...principal.headers, 'x-project-name': place.project };
  const answer = await grpc.call(path, headers, needsMessage ? messageOf(path, world) : undefined);
  const status = String(answer['grpc-status']);
  const said = decodeURIComponent(String(answer['grpc-message'] ?? ''));
  if (status === '0') return { verdict: 'allowed', said };
  const verdict = verdictOfText(said);
  return {
    verdict: verdict !== undefined && VERDICTS[status] === verdict ? verdict : 'failed',
    said: `${status} ${said}`,
  };
}

const VERDICTS: Readonly<Record<string, Verdict>> = { 7: 'refused', 16: 'unknown caller' };

function messageOf(path: string, world: World): Uint8Array {
  // What is counted and not stored can be nothing at all.
  if (!path.includes('TraceService') && !path.includes('LogsService')) return frameMessage(new Uint8Array());
  const id = 100_000 + world.takeNumber();
  if (path.includes('LogsService')) {
    const request = logsRequest([{ traceId: traceId(id), spanId: spanId(id), body: 'said' }]);
    return frameMessage(encodeRequest('application/x-protobuf', request, 'ExportLogsServiceRequest'));
  }
  const span = otlpSpan({ traceId: traceId(id), spanId: spanId(id) });
  return frameMessage(encodeRequest('application/x-protobuf', requestOf([span])));
}
