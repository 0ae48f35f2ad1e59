/** `/graphql`: operations by POST. The page to try them, by GET, is one of the web UI. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Callers } from '#api/caller';
import { signalOfClient } from '#api/client-signal';
import { presentError } from '#api/graphql/errors';
import type { OperationRequest, OperationResult, Operations } from '#api/graphql/operation';
import { noRoom, ROOM_RETRY_SECONDS } from '#api/no-room';
import { httpPolicy } from '#api/policy';
import { sendReply } from '#api/rest/reply';
import type { Logger } from '#base/log';
import { unmarkNumbers } from '#base/json';
import { type CookieSettings, clearTokens } from '#credentials/session-cookies';
import { operationPolicy } from '../policy.ts';
import type { TextBodies } from '../text-bodies.ts';
import { parseOperationBodies } from './body.ts';
import { resultText } from './result-text.ts';
import { EVENT_STREAM, MULTIPART, onlyEvent, type StreamForm, type StreamOptions, streamEvents } from './stream.ts';

const REQUEST = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** Gives what runs operations. */
export type LoadOperations = () => Promise<Operations>;

/** What operations are run by, and for whom. */
export interface GraphqlOptions {
  readonly load: LoadOperations;
  readonly callers: Pick<Callers, 'stillHolds' | 'noteRefusal'>;
  /** How the cookies of a sign-in are cleared that an operation ends. */
  readonly cookies: CookieSettings;
  /** What reads the operations. */
  readonly textBodies: TextBodies;
  readonly log: Logger;
}

/** Adds the route for operations. */
export function registerGraphql(
  app: FastifyInstance,
  { load, callers, cookies, textBodies, log }: GraphqlOptions,
): void {
  app.register(async (scope) => {
    parseOperationBodies(scope, textBodies);
    scope.post('/graphql', { config: { access: operationPolicy.run } }, async (request, reply) => {
      const operation = parseRequest(request.body);
      if (operation === undefined) return sendResult(reply, MALFORMED, 400);
      const { answerShare } = request;
      const signal = signalOfClient(request, reply);
      const operations = await load();
      const answer = await operations.run(operation, {
        caller: request.caller,
        signal,
        room: answerShare,
        noteRefusal: (permission) => callers.noteRefusal?.(request.caller, permission),
        endSession: () => void reply.header('set-cookie', clearTokens(cookies)),
        onFault: (error) => {
          // Who asked has gone, which is no fault.
          if (error === signal.reason) return;
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
      if (Symbol.asyncIterator in answer) {
        const { caller } = request;
        const holds = () => callers.stillHolds(caller);
        if (form !== undefined) return sendStream(reply, answer, form, { holds });
        await answer.return?.();
        return sendResult(reply, NO_STREAM, 406);
      }
      if (form !== EVENT_STREAM || accept.includes('json')) return sendAnswer(request, reply, answer);
      answerShare.sent();
      return sendStream(reply, onlyEvent(answer), form);
    });
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/graphql',
      config: { access: httpPolicy.refuseMethod },
      // Before the body, which can be of a type that nothing here reads.
      onRequest: async (_request, reply) =>
        sendReply(reply, { status: 405, headers: { allow: 'GET, HEAD, POST' }, body: 'Send operations by POST.' }),
      handler: () => undefined,
    });
  });
}

const MALFORMED: OperationResult = {
  errors: [{ message: 'The body must be a JSON object with query and, if needed, variables and operationName.' }],
};

const NO_STREAM: OperationResult = {
  errors: [
    {
      message:
        'A subscription sends several responses: accept text/event-stream, or multipart/mixed with subscriptionSpec=1.0.',
    },
  ],
};

function parseRequest(body: unknown): OperationRequest | undefined {
  const { success, data } = REQUEST.safeParse(body);
  if (!success) return undefined;
  const variables = unmarkNumbers(data.variables ?? {}, () => true) as Record<string, unknown>;
  return { query: data.query, variables, operationName: data.operationName ?? null };
}

/** The stream that the client takes; one that takes JSON too means it for subscriptions alone. */
function streamForm(accept: string): StreamForm | undefined {
  if (accept.includes('text/event-stream')) return EVENT_STREAM;
  return accept.includes('multipart/mixed') ? MULTIPART : undefined;
}

/** 200 for whatever was run; 503 where nothing could be, since programs and what stands before the server know that. */
function sendAnswer({ answerShare }: FastifyRequest, reply: FastifyReply, answer: OperationResult): FastifyReply {
  if (isUnavailable(answer)) return sendUnavailable(reply, answer);
  const bytes = Buffer.from(resultText(answer));
  if (!answerShare.resize(bytes.length)) return sendUnavailable(reply, NO_ROOM);
  return sendReply(reply, { contentType: JSON_TYPE, body: bytes });
}

const JSON_TYPE = 'application/json; charset=utf-8';

const NO_ROOM: OperationResult = { errors: [presentError(noRoom(), () => undefined)] };

function isUnavailable({ data, errors }: OperationResult): boolean {
  return data === undefined && errors?.[0]?.extensions?.['code'] === 'unavailable';
}

function sendUnavailable(reply: FastifyReply, body: OperationResult): FastifyReply {
  const headers = { 'retry-after': String(ROOM_RETRY_SECONDS) };
  return sendReply(reply, { status: 503, contentType: JSON_TYPE, headers, body });
}

function sendResult(reply: FastifyReply, body: OperationResult, status: number): FastifyReply {
  return sendReply(reply, { status, contentType: JSON_TYPE, body });
}

function sendStream(
  reply: FastifyReply,
  events: AsyncIterableIterator<OperationResult, undefined>,
  form: StreamForm,
  options: StreamOptions = {},
): FastifyReply {
  // A proxy that gathers what it passes on would hold events back.
  return reply
    .header('content-type', form.contentType)
    .header('x-accel-buffering', 'no')
    .send(streamEvents(events, form, options));
}
