/**
 * OTLP over gRPC: unary calls on Node's HTTP/2.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlpgrpc
 */
import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { ForCaller } from '#domain/caller';
import type { ExportReceiver } from '#ingest/receiver';
import { Connections } from '../connections.ts';
import { countHeaderBytes } from '../held-heads.ts';
import { BACKLOG } from '../listen.ts';
import { answerCall, type CallOptions } from './call.ts';
import { FREE_CALL_BYTES, headOfCall, MAX_HEADER_BYTES, MAX_HEADERS, pickHeaders, refuseHead } from './call-head.ts';

/** What a call may send unasked at most, which it can make the server keep before there is room for its message. */
const MAX_CALL_WINDOW_BYTES = 512 * 1024;

/** With their windows, what callers that stall can make the server keep at most. An exporter has one connection. */
export const MAX_GRPC_CONNECTIONS = 1000;

/** How long a connection may be open without a call: a client that has connected calls at once. */
const SILENT_MS = 20_000;

/** How long a connection is kept after its last call; longer than exporters pause, which open another one where it is gone. */
const IDLE_MS = 300_000;

/** Finds peers that vanished without a word. */
const KEEP_ALIVE_DELAY_MS = 60_000;

/** How often connections are asked at most what they hold of calls: in that time one thread takes a few hundred. */
const SHED_MS = 20;

function serverOptions({
  windowBytes,
  calls,
}: GrpcBounds): ServerOptions & { keepAlive: boolean; keepAliveInitialDelay: number } {
  return {
    settings: {
      initialWindowSize: Math.min(windowBytes, MAX_CALL_WINDOW_BYTES),
      maxConcurrentStreams: calls,
      maxHeaderListSize: MAX_HEADER_BYTES,
      enablePush: false,
    },
    maxHeaderListPairs: MAX_HEADERS,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS,
  };
}

/** What connections over gRPC may take. */
export interface GrpcBounds {
  /** What each may send unasked: at least HTTP/2's 64 KiB, which are all that it then carries in a round trip. */
  readonly windowBytes: number;
  /** Of each at the same time; clients keep back what is more. */
  readonly calls: number;
  /** What open calls of all take beyond a few of each, in bytes of heads, see `held-heads.ts`. */
  readonly callBytes: number;
}

/** How OTLP over gRPC is served. */
export interface OtlpGrpcOptions extends CallOptions {
  readonly bounds: GrpcBounds;
  /** Absent for plain text. */
  readonly tls?: SecureServerOptions;
  /** Connections at the same time, see `connections.ts`; a thousand unless said otherwise. */
  readonly maxConnections?: number;
  /** How long a connection is kept before its first call. */
  readonly silentMs?: number;
  /** How long it is kept after its last one. */
  readonly idleMs?: number;
}

/** One listener. */
export interface OtlpGrpcServer {
  /** @throws the system's error when the address cannot be had */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Takes no new calls and returns when those in flight are answered; those that are not by the deadline are cut off. */
  close(deadlineMs: number): Promise<void>;
}

/** A server for `TraceService/Export`, the same of logs and metrics, and `Health/Check`; not yet listening. */
export function createOtlpGrpcServer(receiver: ForCaller<ExportReceiver>, options: OtlpGrpcOptions): OtlpGrpcServer {
  const { windowBytes, callBytes } = options.bounds;
  const ofServer = serverOptions(options.bounds);
  const server = options.tls ? createSecureServer({ ...ofServer, ...options.tls }) : createServer(ofServer);
  const sockets = new Set<Socket>();
  const connections = new Connections(options.maxConnections ?? MAX_GRPC_CONNECTIONS, FREE_CALL_BYTES);
  const { silentMs = SILENT_MS, idleMs = IDLE_MS } = options;

  // Before the server makes a session of it.
  server.prependListener('connection', (socket: Socket) => {
    sockets.add(socket);
    const { remoteAddress, remotePort } = socket;
    const timer = setTimeout(() => {
      if (!connections.hasAsked({ remoteAddress, remotePort })) socket.destroy();
    }, silentMs);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
    });
    connections.admit(socket);
  });
  server.on('session', (session: ServerHttp2Session) => {
    if (session.destroyed) return;
    session.setLocalWindowSize(windowBytes);
    let callCount = 0;
    session.on('stream', (stream) => {
      callCount++;
      stream.once('close', () => callCount--);
    });
    session.setTimeout(idleMs, () => {
      // A call has a time limit of its own.
      if (callCount === 0) session.close();
    });
  });
  const shedCalls = atMostEvery(SHED_MS, () => connections.shedHeads([], callBytes));
  const answer = (
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    _flags: number,
    rawHeaders: readonly string[],
  ) => {
    const headBytes = countHeaderBytes(rawHeaders);
    // HTTP/2 holds to the settings only those who have confirmed them.
    if (headBytes > MAX_HEADER_BYTES) return refuseHead(stream);
    if (stream.session !== undefined) {
      connections.serve(stream.session.socket, stream, headOfCall(stream, headBytes));
      // Thousands of calls may come before any timer runs.
      process.nextTick(shedCalls);
    }
    answerCall(stream, pickHeaders(headers), receiver, options);
  };
  server.on('stream', answer);

  return {
    async listen(port, host) {
      server.listen(port, host, BACKLOG);
      await once(server, 'listening');
      return server.address() as AddressInfo;
    },
    async close(deadlineMs) {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      // Every session is told to finish. A server that never listened calls back with an error, and is closed as well.
      server.close(() => resolve());
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, deadlineMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Does the work now, or as soon as so much time has passed since the last time. */
function atMostEvery(intervalMs: number, work: () => void): () => void {
  let nextAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const attempt = () => {
    const waitMs = nextAtMs - performance.now();
    if (waitMs > 0) {
      timer ??= setTimeout(() => {
        timer = undefined;
        attempt();
      }, waitMs).unref();
      return;
    }
    work();
    nextAtMs = performance.now() + intervalMs;
  };
  return attempt;
}
