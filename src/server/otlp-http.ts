/**
 * OTLP over HTTP.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpPolicy } from '#api/policy';
import { AppError, type ErrorCode } from '#base/errors';
import { ERROR_TABLE, GRPC_STATUS } from '#api/errors';
import { CHALLENGE } from '#api/rest/reply';
import type { ForCaller } from '#domain/caller';
import type { ExportReceiver } from '#ingest/receiver';
import { parseOtlpMediaType } from '#otlp/media-type';
import { encodeExportResponse, encodeRpcStatus, type OtlpFormat, type RpcStatus } from '#otlp/response';
import { type Signal, SIGNALS } from '#otlp/signal';
import { toOtlpError } from './otlp-error.ts';
import { ingestionPolicy } from './policy.ts';
import { PROJECT_NAME_HEADER, parseProjectNameHeader } from './project-name-header.ts';
import { type BodyLimits, receiveBody } from './receive-body.ts';

/** How OTLP over HTTP is served. */
export interface OtlpHttpOptions extends BodyLimits {
  /** Comes before `/v1/traces` and the paths of the other signals; empty for none. */
  readonly pathPrefix: string;
  /** Told of everything that is answered with 500. */
  readonly onFault: (error: unknown) => void;
  /** Told of every export that is not acknowledged, by why. */
  readonly onRefused: (code: ErrorCode) => void;
}

/** What stands before `/v1/traces` in the paths that exporters use: none of OpenTelemetry's, then Langfuse's and LangSmith's. */
const BASE_PATHS = ['', '/api/public/otel', '/otel'] as const;

/**
 * Adds `POST /v1/traces`, `/v1/logs` and `/v1/metrics` to any instance, and the paths that other backends have for them;
 * hooks of the instance apply, and what they throw is answered as OTLP says.
 */
export function registerOtlpHttp(
  app: FastifyInstance,
  receiver: ForCaller<ExportReceiver>,
  options: OtlpHttpOptions,
): void {
  const { pathPrefix, onRefused } = options;
  app.register(async (scope) => {
    // The handler reads the body itself, once it knows that there is room for it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      // A malformed content type never gets as far as a handler.
      const isMediaType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
      const cause = isMediaType ? unsupportedMediaType() : error;
      onRefused(cause instanceof AppError ? cause.code : 'internal');
      return sendError(cause, request, reply, options);
    });

    const routes = BASE_PATHS.flatMap((base) => SIGNALS.map((signal) => ({ base, signal })));
    for (const { base, signal } of routes) {
      const url = `${pathPrefix}${base}/v1/${signal}`;
      scope.post(url, { config: { access: ingestionPolicy[signal] } }, async (request, reply) => {
        const format = findFormat(request);
        if (format === undefined) throw unsupportedMediaType();
        const outcome = await receiveExport(request, signal, format, receiver(request.caller), options);
        return send(reply, format, 200, encodeExportResponse(signal, format, outcome));
      });
      scope.route({
        method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
        url,
        config: { access: httpPolicy.refuseMethod },
        handler: (request, reply) => {
          reply.header('allow', 'POST');
          return sendStatus(request, reply, 405, { code: GRPC_STATUS.UNIMPLEMENTED, message: 'Use the method POST.' });
        },
      });
    }
  });
}

/** Answers an export that was sent to a path which nothing serves; `undefined` for any other request. */
export function refuseStrayExport(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (!request.is404 || request.method !== 'POST') return undefined;
  const path = request.url.replace(/\?.*$/, '');
  const isExport = EXPORT_PATH.test(path) || (findFormat(request) === 'protobuf' && path !== EVALUATIONS_PATH);
  if (!isExport) return undefined;
  const { httpStatus, grpcStatus } = ERROR_TABLE.not_found;
  return sendStatus(request, reply, httpStatus, { code: grpcStatus, message: STRAY_EXPORT });
}

const EXPORT_PATH = /\/v1\/(?:traces?|logs?|metrics?)\/?$/i;

/** Phoenix's clients send protobuf here that is no OTLP. */
const EVALUATIONS_PATH = '/v1/evaluations';

const STRAY_EXPORT =
  'This path does not accept OTLP. Send traces to /v1/traces, log records to /v1/logs, metrics to /v1/metrics.';

async function receiveExport(
  request: FastifyRequest,
  signal: Signal,
  format: OtlpFormat,
  receiver: ExportReceiver,
  options: OtlpHttpOptions,
) {
  using body = await receiveBody(request.raw, receiver, options);
  return await receiver.export({
    signal,
    body: body.bytes,
    format,
    contentEncoding: request.headers['content-encoding'] ?? '',
    projectName: parseProjectNameHeader(request.headers[PROJECT_NAME_HEADER]),
  });
}

function unsupportedMediaType(): AppError {
  return new AppError('unsupported', 'Send the content type application/x-protobuf or application/json.');
}

function findFormat(request: FastifyRequest): OtlpFormat | undefined {
  return parseOtlpMediaType(request.headers['content-type']);
}

function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { onFault, stopping }: Pick<OtlpHttpOptions, 'onFault' | 'stopping'>,
): FastifyReply {
  const { code, message, retryAfterSeconds } = toOtlpError(thrown, onFault);
  const { httpStatus, grpcStatus } = ERROR_TABLE[code];
  // A deadline that passes while the body is still arriving is the client's.
  const isSlowClient = code === 'deadline_exceeded' && !request.raw.complete;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  if (code === 'unauthenticated') reply.headers(CHALLENGE);
  if (stopping?.aborted === true) reply.header('connection', 'close');
  return sendStatus(request, reply, isSlowClient ? 408 : httpStatus, { code: grpcStatus, message, retryAfterSeconds });
}

function sendStatus(request: FastifyRequest, reply: FastifyReply, httpStatus: number, status: RpcStatus): FastifyReply {
  // A client that sends neither encoding is most likely a person, or a program that reads JSON.
  const format = findFormat(request) ?? 'json';
  return send(reply, format, httpStatus, encodeRpcStatus(format, status));
}

function send(reply: FastifyReply, format: OtlpFormat, httpStatus: number, body: Uint8Array): FastifyReply {
  return reply
    .code(httpStatus)
    .header('content-type', format === 'json' ? 'application/json' : 'application/x-protobuf')
    .send(body);
}
