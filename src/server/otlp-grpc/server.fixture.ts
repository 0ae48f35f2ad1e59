/** A server of its own for each test, and the official client for Node. */
import { Client, credentials, type ChannelCredentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { afterEach } from 'vitest';
import { ANYBODY } from '#api/caller';
import { RecordingReceiver } from '../recording-receiver.ts';
import { createOtlpGrpcServer, type OtlpGrpcOptions, type OtlpGrpcServer } from './server.ts';

export const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
export const MIB = 1024 * 1024;
export const BOUNDS = { windowBytes: 512 * 1024, calls: 100, callBytes: MIB };

let server: OtlpGrpcServer | undefined;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server?.close(0);
  server = undefined;
});

export interface Served {
  readonly port: number;
  readonly server: OtlpGrpcServer;
  readonly receiver: RecordingReceiver;
  readonly faults: unknown[];
  readonly refused: string[];
}

export async function serve(options: Partial<OtlpGrpcOptions> = {}): Promise<Served> {
  const receiver = new RecordingReceiver();
  const faults: unknown[] = [];
  const refused: string[] = [];
  const created = createOtlpGrpcServer(() => receiver, {
    bounds: BOUNDS,
    callers: ANYBODY,
    maxBytes: 64 * MIB,
    bodyDeadlineMs: 60_000,
    onFault: (error) => faults.push(error),
    onRefused: (code) => refused.push(code),
    ...options,
  });
  server = created;
  const { port } = await created.listen(0, '127.0.0.1');
  return { port, server: created, receiver, faults, refused };
}

export function createClient(
  port: number,
  options = {},
  security: ChannelCredentials = credentials.createInsecure(),
): Client {
  const client = new Client(`localhost:${port}`, security, options);
  clients.push(client);
  return client;
}

interface CallOptions {
  readonly path?: string;
  readonly metadata?: Record<string, string>;
  readonly timeoutMs?: number;
}

/** One unary call; rejects with the client's `ServiceError`. */
export function callUnary(
  client: Client,
  body: Buffer,
  { path = EXPORT, metadata = {}, timeoutMs = 10_000 }: CallOptions = {},
) {
  const sent = new Metadata();
  for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const call = client.makeUnaryRequest(
    path,
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    body,
    sent,
    { deadline: Date.now() + timeoutMs },
    (error: ServiceError | null, answer?: Buffer) => (error ? reject(error) : resolve(answer ?? Buffer.alloc(0))),
  );
  return { call, answer: promise };
}

export function exportSpans(client: Client, body: Buffer, options?: CallOptions): Promise<Buffer> {
  return callUnary(client, body, options).answer;
}
