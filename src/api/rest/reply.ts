/** How answers and errors go out. */
import { Readable } from 'node:stream';
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

/** Makes a page. `app` unless named: `sign-in` is small and has no navigation. */
export type RenderPage = (status: number, name?: PageName) => RouteReply;

/** See {@link RenderPage}. */
export type PageName = 'app' | 'sign-in';

/** Sends what a handler answers. */
export function sendReply(
  reply: FastifyReply,
  { status = 200, contentType, headers = {}, body }: RouteReply,
): FastifyReply {
  reply.code(status);
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  if (body === undefined) return reply.send();
  if (typeof body === 'string') return sendBytes(reply, contentType ?? PLAIN_TEXT, Buffer.from(body));
  if (body instanceof Uint8Array) return sendBytes(reply, contentType ?? 'application/octet-stream', body);
  if (body instanceof Readable)
    return reply.header('content-type', contentType ?? 'application/octet-stream').send(body);
  return sendBytes(reply, contentType ?? 'application/json', Buffer.from(JSON.stringify(body)));
}

/**
 * Answers everything that is thrown, and paths that no route has: to people in a browser with the page, where there is one, and
 * where they have to sign in with the page for that.
 * @param onFault is told of what the caller is not
 * @param methodsOf the methods that an address has, for what comes with another
 */
export function answerErrors(
  app: FastifyInstance,
  onFault: (error: unknown, request: FastifyRequest) => void,
  renderPage: RenderPage | null,
  methodsOf: (url: string) => readonly string[] = () => [],
): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const answer = toReply(error);
    if (answer.status === 500) onFault(error, request);
    const page = answer.status === 401 && wantsPage(request) ? renderPage?.(401, 'sign-in') : undefined;
    // Without a build there is no page, which is no reason for another status.
    if (page?.status !== 401) return sendReply(reply, answer);
    return sendReply(reply, { ...page, headers: { ...answer.headers, ...page.headers } });
  });
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(request.url);
    if (methods.length > 0) return sendReply(reply, refuseMethod(request.method, methods));
    const page = wantsPage(request) ? renderPage?.(404) : undefined;
    return sendReply(reply, page ?? { status: 404, body: NO_SUCH_PATH });
  };
  // Before the body: nobody wants it, and the handler would come after it.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? answerUnknown(request, reply) : undefined));
  app.setNotFoundHandler(answerUnknown);
}

/** The answer to a method that a path does not have. */
export function refuseMethod(method: string, methods: readonly string[]): RouteReply {
  const allowed = methods.join(', ');
  return {
    status: 405,
    headers: { allow: allowed },
    body: `This version does not offer ${method} on this path, only ${allowed}.`,
  };
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
    headers: {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
      ...(code === 'unauthenticated' && CHALLENGE),
    },
    body: message,
  };
}

/** Which credentials a request may show. @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="cairn"' };

/** A browser that is led to an address, rather than a script or a client. */
function wantsPage({ method, headers: { accept = '' }, url }: FastifyRequest): boolean {
  return method === 'GET' && accept.includes('text/html') && !/^\/(?:v1|\.well-known)\//.test(url);
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
