/** Sends export requests over HTTP and gRPC, byte for byte as a test says, and reads the answers. */
import { type ChannelCredentials, Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { encodeExportRequest } from '#otlp/protobuf/encode-request';
import { decodeWithOracle, encodeJsonWithOracle } from '../oracle/otlp.ts';

/** The two encodings of OTLP over HTTP, by their content types. */
export const ENCODINGS = ['application/x-protobuf', 'application/json'] as const;

/** One of {@link ENCODINGS}. */
export type Encoding = (typeof ENCODINGS)[number];

/** What an export was answered, whatever encoding it came in. */
export interface ExportAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Of a success: spans, or log records, that were not stored; of an error 0. */
  readonly rejectedSpans: number;
  /** Why spans were rejected, or what an error says. */
  readonly message: string;
}

/** Encodes a request that is written in OTLP JSON: one of spans unless said otherwise. */
export function encodeRequest(
  encoding: Encoding,
  request: object,
  message: 'ExportTraceServiceRequest' | 'ExportLogsServiceRequest' = 'ExportTraceServiceRequest',
): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify(request, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return new Uint8Array(encoding === 'application/json' ? Buffer.from(json) : encodeJsonWithOracle(message, json));
}

/** A request in protobuf around span messages, which stay as they are. */
export function requestAround(spans: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const none = new Uint8Array(0);
  return encodeExportRequest([{ envelope: none, scopes: [{ envelope: none, messages: spans }] }]);
}

/** A span that is written in OTLP JSON as a protobuf message. */
export function encodeSpan(span: object): Uint8Array {
  return encodeJsonWithOracle('Span', JSON.stringify(span));
}

/** Sends a request that is written in OTLP JSON, in protobuf unless said otherwise. */
export function exportTraces(
  url: string,
  request: object,
  { encoding = 'application/x-protobuf', headers = {} }: { encoding?: Encoding; headers?: Record<string, string> } = {},
): Promise<ExportAnswer> {
  return postBody(url, encodeRequest(encoding, request), { 'content-type': encoding, ...headers });
}

/** Sends a request of log records that is written in OTLP JSON, in protobuf unless said otherwise. */
export function exportLogs(
  url: string,
  request: object,
  { encoding = 'application/x-protobuf', headers = {} }: { encoding?: Encoding; headers?: Record<string, string> } = {},
): Promise<ExportAnswer> {
  const body = encodeRequest(encoding, request, 'ExportLogsServiceRequest');
  return postBody(url, body, { 'content-type': encoding, ...headers }, 'logs');
}

/** Sends a request and expects all of its spans to be stored. */
export async function exportAll(url: string, request: object, headers: Record<string, string> = {}): Promise<void> {
  const { status, rejectedSpans, message } = await exportTraces(url, request, { headers });
  if (status !== 200 || rejectedSpans > 0) throw new Error(`${status}, ${rejectedSpans} rejected: ${message}`);
}

/** Sends any body to `/v1/traces`, or to the path of another signal. */
export async function postBody(
  url: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string>,
  signal: 'traces' | 'logs' | 'metrics' = 'traces',
): Promise<ExportAnswer> {
  const init = { method: 'POST', headers, body, ...(body instanceof ReadableStream && { duplex: 'half' }) };
  const response = await fetch(`${url}/v1/${signal}`, init as RequestInit);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get('content-type') === 'application/json';
  const read = response.ok
    ? readSuccess(bytes, isJson)
    : { rejectedSpans: 0, message: readStatus(bytes, isJson).message };
  return { status: response.status, headers: response.headers, bytes, ...read };
}

/** The `google.rpc.Status` of an error. */
export function readStatus(bytes: Uint8Array, isJson: boolean): { readonly code: number; readonly message: string } {
  return isJson ? JSON.parse(Buffer.from(bytes).toString()) : (decodeWithOracle('RpcStatus', bytes) as never);
}

function readSuccess(bytes: Uint8Array, isJson: boolean): { rejectedSpans: number; message: string } {
  const { partialSuccess } = (
    isJson ? JSON.parse(Buffer.from(bytes).toString()) : decodeWithOracle('ExportTraceServiceResponse', bytes)
  ) as { partialSuccess?: { rejectedSpans?: string | bigint; rejectedLogRecords?: string; errorMessage?: string } };
  // In protobuf the responses of all signals have the same numbers.
  const rejected = partialSuccess?.rejectedSpans ?? partialSuccess?.rejectedLogRecords ?? 0;
  return { rejectedSpans: Number(rejected), message: partialSuccess?.errorMessage ?? '' };
}

/** Sends a message by gRPC. Rejects with the client's `ServiceError`. */
export async function callExport(
  address: string,
  message: Uint8Array,
  {
    metadata = {},
    options = {},
    service = 'trace.v1.TraceService',
    channel = credentials.createInsecure(),
  }: {
    metadata?: Record<string, string>;
    options?: object;
    service?: string;
    channel?: ChannelCredentials;
  } = {},
): Promise<{ readonly rejectedSpans: number; readonly message: string }> {
  const client = new Client(address, channel, options);
  const sent = new Metadata();
  for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  client.makeUnaryRequest(
    `/opentelemetry.proto.collector.${service}/Export`,
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    Buffer.from(message),
    sent,
    { deadline: Date.now() + 20_000 },
    (error: ServiceError | null, answer?: Buffer) => (error ? reject(error) : resolve(answer ?? Buffer.alloc(0))),
  );
  try {
    return readSuccess(await promise, false);
  } finally {
    client.close();
  }
}

/** Like {@link callExport}, for a call that must fail: returns the client's error. */
export async function callFailingExport(
  address: string,
  message: Uint8Array,
  given?: Parameters<typeof callExport>[2],
): Promise<ServiceError> {
  const outcome = await callExport(address, message, given).catch((error: unknown) => error);
  if (!(outcome instanceof Error && 'metadata' in outcome)) throw new Error('the call should have failed');
  return outcome as ServiceError;
}
