/** OTLP over gRPC with the usual client. */
import { Client, credentials } from '@grpc/grpc-js';

/** Sends one request at a time. */
export interface Exporter {
  /** Returns when all spans of the body are acknowledged; rejects for any other answer. */
  send(body: Uint8Array): Promise<void>;
  close(): void;
}

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

/** Opens a channel with a connection of its own. */
export function openGrpcExporter(address: string): Promise<Exporter> {
  const client = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const exporter: Exporter = {
    send: (body) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          EXPORT,
          (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          (bytes: Buffer) => bytes,
          body,
          (error, answer) => {
            if (error !== null) reject(error);
            else if (answer?.length !== 0) reject(new Error('some spans were rejected'));
            else resolve();
          },
        );
      }),
    close: () => client.close(),
  };
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + 5000, (error) => (error === undefined ? resolve(exporter) : reject(error)));
  });
}
