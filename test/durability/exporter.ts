/** Sends export requests as they are over HTTP or gRPC, and tells how each was answered. */
import { Client, credentials, status } from '@grpc/grpc-js';
import type { ServerProcess } from '../harness/server-process.ts';

/** How a request ended: stored, refused with a time to come again, or neither. */
export type Ending = 'acknowledged' | 'refused' | 'unanswered' | `unexpected: ${string}`;

/** A client with connections of its own. */
export interface Exporter {
  send(body: Uint8Array<ArrayBuffer>): Promise<Ending>;
  close(): void;
}

/** Over HTTP. */
export function openHttpExporter({ url }: Pick<ServerProcess, 'url'>): Exporter {
  const headers = { 'content-type': 'application/x-protobuf' };
  return {
    async send(body) {
      try {
        const response = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body });
        const answer = await response.arrayBuffer();
        if (response.status === 200 && answer.byteLength === 0) return 'acknowledged';
        const isRetriable = [429, 503].includes(response.status) && response.headers.has('retry-after');
        return isRetriable ? 'refused' : `unexpected: ${response.status} ${Buffer.from(answer).toString()}`;
      } catch (error) {
        // fetch reports a connection that ended without an answer as a TypeError.
        if (error instanceof TypeError) return 'unanswered';
        throw error;
      }
    },
    close: () => undefined,
  };
}

/** Over gRPC. */
export function openGrpcExporter({ grpcAddress }: Pick<ServerProcess, 'grpcAddress'>): Exporter {
  const client = new Client(grpcAddress, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  return {
    send: (body) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(
          EXPORT,
          toBuffer,
          (bytes: Buffer) => bytes,
          body,
          (error, answer) => {
            if (error === null) resolve(answer?.length === 0 ? 'acknowledged' : 'unexpected: a partial success');
            else if (error.metadata.get(RETRY_DETAILS).length > 0) resolve('refused');
            // Without the server's details it is the client that says so: the connection is gone.
            else if (error.code === status.UNAVAILABLE) resolve('unanswered');
            else resolve(`unexpected: ${error.message}`);
          },
        );
      }),
    close: () => client.close(),
  };
}

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const RETRY_DETAILS = 'grpc-status-details-bin';

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
