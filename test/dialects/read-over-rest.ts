/** Sends recorded requests to a running server, and reads over REST what it shows of them. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { getAll } from '../harness/rest.ts';
import { listSpans, type RestSession, type RestTrace } from '../harness/telemetry.ts';
import type { Reading } from './reading.ts';
import type { RecordedRequest } from './recording.ts';

/** Where requests go. */
export interface Destination {
  readonly url: string;
  readonly grpcAddress: string;
  /** The project that a header demands; without one the requests choose. */
  readonly project?: string;
}

/** Sends the requests one after the other. @throws Error where one is not taken as a whole */
export async function sendRequests(to: Destination, requests: readonly RecordedRequest[]): Promise<void> {
  const client = new Client(to.grpcAddress, credentials.createInsecure());
  try {
    for (const request of requests) {
      const body = new Uint8Array(request.body);
      if (request.isGrpc) await call(client, to.project, request.signal, body);
      else await post(to, request, body);
    }
  } finally {
    client.close();
  }
}

/** What the server shows of a project, earliest span first. */
export async function readProject({
  url,
  project,
}: {
  readonly url: string;
  readonly project: string;
}): Promise<Reading> {
  return {
    spans: await listSpans(url, project, 'sort=start_time&order=asc'),
    ...(await readSums({ url, project })),
  };
}

/** The same without its spans. */
export async function readSums({
  url,
  project,
}: {
  readonly url: string;
  readonly project: string;
}): Promise<Required<Omit<Reading, 'spans'>>> {
  const base = `${url}/v1/projects/${encodeURIComponent(project)}`;
  const traces: (RestTrace & { token_count_completion: number })[] = await getAll(`${base}/traces`, 1000);
  const sessions: (RestSession & { token_count_completion: number })[] = await getAll(`${base}/sessions`, 1000);
  return {
    traces,
    sessions: sessions.map((session) => ({
      session_id: session.session_id,
      trace_ids: session.traces.map(({ trace_id: id }) => id),
      token_count_prompt: session.token_count_prompt,
      token_count_completion: session.token_count_completion,
    })),
  };
}

/** The part of a reading that belongs to the traces. */
export function selectTraces({ spans, traces, sessions }: Reading, traceIds: ReadonlySet<string>): Reading {
  return {
    spans: spans.filter(({ context }) => traceIds.has(context.trace_id)),
    ...(traces !== undefined && { traces: traces.filter(({ trace_id: id }) => traceIds.has(id)) }),
    sessions: sessions.filter(({ trace_ids: ids }) => ids.some((id) => traceIds.has(id))),
  };
}

const SERVICES = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
} as const;

async function post(
  { url, project }: Destination,
  request: RecordedRequest,
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { file, signal, encoding } = request;
  const headers = { 'content-type': encoding, ...(project !== undefined && { 'x-project-name': project }) };
  const response = await fetch(`${url}/v1/${signal}`, { method: 'POST', headers, body });
  const answer = Buffer.from(await response.arrayBuffer());
  // A success that took everything says nothing: empty, or an empty message or object.
  const isWhole =
    response.ok &&
    (encoding === 'application/json' ? /^\{("partialSuccess":\{\})?\}$/.test(answer.toString()) : answer.length === 0);
  if (!isWhole) throw new Error(`${file}: ${response.status} ${answer.toString()}`);
}

async function call(
  client: Client,
  project: string | undefined,
  signal: RecordedRequest['signal'],
  body: Uint8Array,
): Promise<void> {
  const metadata = new Metadata();
  if (project !== undefined) metadata.set('x-project-name', project);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  client.makeUnaryRequest(
    SERVICES[signal],
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    Buffer.from(body),
    metadata,
    { deadline: Date.now() + 20_000 },
    (error, answer?: Buffer) => (error === null ? resolve(answer) : reject(error)),
  );
  const answer = await promise;
  if (answer !== undefined && answer.length > 0) throw new Error(`gRPC ${signal}: ${answer.toString()}`);
}
