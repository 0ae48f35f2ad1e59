/** How answers and errors go out. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#base/errors';
import { ERROR_TABLE, toEdgeError } from '../errors.ts';
import type { RouteReply } from './route.ts';
import { UnprocessableError } from './unprocessable.ts';
import { ValidationError } from './validation.ts';

/** The content type of texts. */
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Distinct from a resource that is missing, so that nobody looks for what this version cannot have. */
const NO_SUCH_PATH = 'This version does not offer this path. /openapi.json lists the paths that it offers.';

/** Sends what a handler answers. */
export function sendReply(
  reply: FastifyReply,
  { status = 200, contentType, headers = {}, body }: RouteReply,
): FastifyReply {
  reply.code(status).headers(headers);
  if (body === undefined) return reply.send();
  if (typeof body === 'string') return sendBytes(reply, contentType ?? PLAIN_TEXT, Buffer.from(body));
  if (body instanceof Uint8Array) return sendBytes(reply, contentType ?? 'application/octet-stream', body);
  return sendBytes(reply, contentType ?? 'application/json', Buffer.from(JSON.stringify(body)));
}

/**
 * Answers everything that is thrown, and paths that no route has: to people in a browser with the page, where there is one.
 * `onFault` is told of what the caller is not.
 */
export function answerErrors(
  app: FastifyInstance,
  onFault: (error: unknown, request: FastifyRequest) => void,
  renderPage: ((status: number) => RouteReply) | null,
): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const answer = toReply(error);
    if (answer.status === 500) onFault(error, request);
    return sendReply(reply, answer);
  });
  app.setNotFoundHandler((request, reply) => {
    const page = wantsPage(request) ? renderPage?.(404) : undefined;
    return sendReply(reply, page ?? { status: 404, body: NO_SUCH_PATH });
  });
}

/** The answer to anything that was thrown. */
export function toReply(error: unknown): RouteReply & { readonly status: number } {
  if (error instanceof ValidationError) return { status: 422, body: { detail: error.details } };
  if (isUnreadableJson(error)) {
    const detail = [{ type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON.', input: null }];
    return { status: 422, body: { detail } };
  }
  if (isRefusedByFastify(error)) return { status: error.statusCode ?? 400, body: error.message };
  const { code, message, retryAfterSeconds } = toEdgeError(error);
  return {
    status: error instanceof UnprocessableError ? 422 : ERROR_TABLE[code].httpStatus,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
    body: message,
  };
}

/** A browser that is led to an address, rather than a script or a client. */
function wantsPage({ method, headers: { accept = '' }, url }: FastifyRequest): boolean {
  return method === 'GET' && accept.includes('text/html') && !url.startsWith('/v1/');
}

/** Bytes, because Fastify adds a charset to JSON that is text. */
function sendBytes(reply: FastifyReply, contentType: string, bytes: Uint8Array): FastifyReply {
  return reply.header('content-type', contentType).send(bytes);
}

function isRefusedByFastify(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || error instanceof AppError || !('code' in error)) return false;
  const { code, statusCode } = error as FastifyError;
  return code.startsWith('FST_ERR_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500;
}

function isUnreadableJson(error: unknown): boolean {
  return (
    isRefusedByFastify(error) && ['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY'].includes(error.code)
  );
}
