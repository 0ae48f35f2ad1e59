import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { BlockList } from 'node:net';
import { admitCaller, type Callers, noteLateRefusal } from '#api/caller';
import { clientAddress } from '#api/client-address';
import { AppError, type ErrorCode } from '#base/errors';
import type { Permission } from '#domain/access';
import type { ForCaller } from '#domain/caller';
import type { ExportReceiver } from '#ingest/receiver';
import { encodeExportResponse } from '#otlp/response';
import type { Signal } from '#otlp/signal';
import { GrowingRoom } from '../growing-room.ts';
import { toOtlpError } from '../otlp-error.ts';
import { ingestionPolicy, servicePolicy } from '../policy.ts';
import { PROJECT_NAME_HEADER, parseProjectNameHeader } from '../project-name-header.ts';
import { type MessageLimits, readMessage } from './framing.ts';
import { ACCEPTED_ENCODINGS, sendFailure, sendHttpStatus, sendMessage } from './reply.ts';
import { parseGrpcTimeout } from './timeout.ts';

/** How calls are answered. */
export interface CallOptions extends Omit<MessageLimits, 'ends'> {
  /** Aborted, with why, when the server stops, which waits for no message. */
  readonly stopping?: AbortSignal;
  /** Finds out who calls. */
  readonly callers: Callers;
  /** Whose `x-forwarded-for` is believed; nobody's unless it says so. */
  readonly trustedProxies?: BlockList | null;
  /** Told of everything that is answered with INTERNAL. */
  readonly onFault: (error: unknown) => void;
  /** Told of every export that is not acknowledged, by why. */
  readonly onRefused: (code: ErrorCode) => void;
}

/** A method of a service. */
export interface GrpcMethod {
  readonly access: Permission;
  /** What it takes; `null` for the health check, which takes nothing. */
  readonly signal: Signal | null;
}

/** All methods by their paths. */
export const GRPC_METHODS: ReadonlyMap<string, GrpcMethod> = new Map<string, GrpcMethod>([
  ...(
    [
      ['trace.v1.TraceService', 'traces'],
      ['logs.v1.LogsService', 'logs'],
      ['metrics.v1.MetricsService', 'metrics'],
    ] as const
  ).map(
    ([service, signal]) =>
      [`/opentelemetry.proto.collector.${service}/Export`, { access: ingestionPolicy[signal], signal }] as const,
  ),
  ['/grpc.health.v1.Health/Check', { access: servicePolicy.checkHealth, signal: null }],
]);

const HEALTH_REQUEST_MAX_BYTES = 1_024;

/** A `grpc.health.v1.HealthCheckResponse` with the status SERVING. */
const SERVING = Uint8Array.of(0x08, 0x01);

/** Answers one call; whatever its caller does, nothing is thrown. */
export function answerCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  receiver: ForCaller<ExportReceiver>,
  options: CallOptions,
): void {
  // The caller reset the call or the connection broke: nobody is left to be told.
  stream.on('error', () => undefined);
  if (headers[':method'] !== 'POST') return sendHttpStatus(stream, 405, { allow: 'POST' });
  if (!isGrpc(headers['content-type'])) return sendHttpStatus(stream, 415);

  const fail = (error: unknown) => {
    const wasWaiting = sendFailure(stream, toOtlpError(error, options.onFault));
    if (wasWaiting && findMethod(headers)?.signal != null) {
      options.onRefused(error instanceof AppError ? error.code : 'internal');
    }
  };
  runCall(stream, headers, receiver, options, fail)
    .then((message) => sendMessage(stream, message))
    .catch(fail)
    // A stream closes only when the bytes that arrived for it are read.
    .finally(() => stream.resume());
}

async function runCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  receiver: ForCaller<ExportReceiver>,
  options: CallOptions,
  fail: (error: unknown) => void,
): Promise<Uint8Array> {
  const timeoutMs = parseGrpcTimeout(headers['grpc-timeout']?.toString());
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          fail(
            new AppError('deadline_exceeded', 'The deadline of the call passed. The data it sent may still be stored.'),
          );
        }, timeoutMs);
  try {
    return await callMethod(stream, headers, receiver, options);
  } finally {
    clearTimeout(timer);
  }
}

async function callMethod(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  receiver: ForCaller<ExportReceiver>,
  options: CallOptions,
): Promise<Uint8Array> {
  const method = findMethod(headers);
  if (method === undefined) {
    throw new AppError(
      'unimplemented',
      'This server accepts OTLP: Export of TraceService, LogsService and MetricsService.',
    );
  }
  const caller = await admitCaller(options.callers, method.access, {
    header: (name) => headers[name]?.toString(),
    remoteAddress: clientAddress(
      stream.session?.socket.remoteAddress,
      headers['x-forwarded-for']?.toString(),
      options.trustedProxies ?? null,
    ),
  });
  if (method.signal !== null) {
    try {
      return await receiveExport(stream, headers, method.signal, receiver(caller), options);
    } catch (error) {
      noteLateRefusal(options.callers, caller, method.access, error);
      throw error;
    }
  }
  await readMessage(stream, { ...options, maxBytes: HEALTH_REQUEST_MAX_BYTES }, async () => undefined);
  return SERVING;
}

function findMethod(headers: IncomingHttpHeaders): GrpcMethod | undefined {
  return GRPC_METHODS.get(headers[':path'] ?? '');
}

async function receiveExport(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  signal: Signal,
  receiver: ExportReceiver,
  options: CallOptions,
): Promise<Uint8Array> {
  const encoding = parseEncoding(headers['grpc-encoding']?.toString());
  using room = new GrowingRoom(receiver);
  const ends = options.stopping === undefined ? [room.taken] : [room.taken, options.stopping];
  const { isCompressed, bytes } = await readMessage(stream, { ...options, ends }, (more, expectedBytes) =>
    room.grow(more, expectedBytes),
  );
  room.arrived();
  if (isCompressed && encoding === '') {
    throw new AppError('invalid_argument', 'The message is marked as compressed, but the call has no grpc-encoding.');
  }
  const outcome = await receiver.export({
    signal,
    body: bytes,
    format: 'protobuf',
    contentEncoding: isCompressed ? encoding : '',
    projectName: parseProjectNameHeader(headers[PROJECT_NAME_HEADER]),
  });
  return encodeExportResponse(signal, 'protobuf', outcome);
}

/** The encoding of a compressed message; empty for none. */
function parseEncoding(text = 'identity'): string {
  const encoding = text.trim().toLowerCase();
  if (!ACCEPTED_ENCODINGS.some((accepted) => accepted === encoding)) {
    throw new AppError('unimplemented', `Send the grpc-encoding ${ACCEPTED_ENCODINGS.join(', ')}.`);
  }
  return encoding === 'identity' ? '' : encoding;
}

function isGrpc(contentType: string | undefined): boolean {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return essence === 'application/grpc' || essence === 'application/grpc+proto';
}
