/** `/graphql`: operations by POST, and a page to try them by GET. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { OperationRequest, OperationResult, Operations } from '#api/graphql/operation';
import { sendReply } from '#api/rest/reply';
import type { Logger } from '#base/log';
import { registerGraphiql } from './page.ts';
import { EVENT_STREAM, MULTIPART, onlyEvent, type StreamForm, streamEvents } from './stream.ts';

/** Operations are text, and what they change is small. */
const MAX_BODY_BYTES = 1024 * 1024;

const REQUEST = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** Gives what runs operations. */
export type LoadOperations = () => Promise<Operations>;

/** Adds the route for operations. */
export function registerGraphql(app: FastifyInstance, loadOperations: LoadOperations, log: Logger): void {
  app.register(async (scope) => {
    registerGraphiql(scope);
    // A page of any origin may send a form or text without being asked first; JSON it may not.
    scope.removeContentTypeParser('text/plain');
    scope.post('/graphql', { config: { access: 'read' }, bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const operation = parseRequest(request.body);
      if (operation === undefined) return sendResult(reply, MALFORMED, 400);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const operations = await loadOperations();
      const answer = await operations.run(operation, {
        principal: request.principal,
        signal: gone.signal,
        onFault: (error) => {
          // Who asked has gone, which is no fault.
          if (error === gone.signal.reason) return;
          log.error('A GraphQL operation failed.', {
            method: request.method,
            route: request.routeOptions.url,
            operation: operation.operationName,
            error,
          });
        },
      });
      const { accept = '' } = request.headers;
      const form = streamForm(accept);
      if (!(Symbol.asyncIterator in answer)) {
        const isStreamed = form === EVENT_STREAM && !accept.includes('json');
        return isStreamed ? sendStream(reply, onlyEvent(answer), form) : sendResult(reply, answer, 200);
      }
      if (form !== undefined) return sendStream(reply, answer, form);
      await answer.return?.();
      return sendResult(reply, NO_STREAM, 406);
    });
  });
}

const MALFORMED: OperationResult = {
  errors: [{ message: 'The body must be a JSON object with query, and if need be variables and operationName.' }],
};

const NO_STREAM: OperationResult = {
  errors: [
    {
      message:
        'A subscription answers more than once: accept text/event-stream, or multipart/mixed with subscriptionSpec=1.0.',
    },
  ],
};

function parseRequest(body: unknown): OperationRequest | undefined {
  const { success, data } = REQUEST.safeParse(body);
  if (!success) return undefined;
  return { query: data.query, variables: data.variables ?? {}, operationName: data.operationName ?? null };
}

/** The stream that the client takes; one that takes JSON too means it for subscriptions alone. */
function streamForm(accept: string): StreamForm | undefined {
  if (accept.includes('text/event-stream')) return EVENT_STREAM;
  return accept.includes('multipart/mixed') ? MULTIPART : undefined;
}

function sendResult(reply: FastifyReply, body: OperationResult, status: number): FastifyReply {
  return sendReply(reply, { status, contentType: 'application/json; charset=utf-8', body });
}

function sendStream(
  reply: FastifyReply,
  events: AsyncIterableIterator<OperationResult, undefined>,
  form: StreamForm,
): FastifyReply {
  // A proxy that gathers what it passes on would hold events back.
  return reply
    .header('content-type', form.contentType)
    .header('x-accel-buffering', 'no')
    .send(streamEvents(events, form));
}
