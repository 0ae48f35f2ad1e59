/** Registers a table of routes into an HTTP application. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import { markLosses, unmarkNumbers } from '#base/json';
import { readOnly } from '#base/read-only';
import { signalOfClient } from '../client-signal.ts';
import { headerOf } from './access.ts';
import { formatIgnoredParameters, IGNORED_PARAMETERS_HEADER } from './ignored-parameters.ts';
import { assertKnownQuery, parseQuery, unknownNames } from './query.ts';
import { sendReply } from './reply.ts';
import { FORM_TYPE, type Route, type RouteReply, type RouteRequest } from './route.ts';
import { validate } from './validation.ts';

/** Adds the routes. What no route has, `answerErrors` answers. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  app.register(async (scope) => {
    // A page of any origin may send text without being asked first; JSON it may not.
    scope.removeContentTypeParser('text/plain');
    const withBody = routes.filter(({ body, isForm }) => body !== undefined && isForm !== true);
    for (const route of withBody.filter(({ exactFields }) => exactFields === undefined)) addRoute(scope, route);
    scope.register(async (exact) => {
      const parseJson = exact.getDefaultJsonParser('error', 'error');
      exact.removeContentTypeParser('application/json');
      exact.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
        void parseJson(request, markLosses(text), done);
      });
      for (const route of withBody.filter(({ exactFields }) => exactFields !== undefined)) addRoute(exact, route);
    });
    scope.register(async (forms) => {
      forms.removeAllContentTypeParsers();
      forms.addContentTypeParser<string>(FORM_TYPE, { parseAs: 'string' }, (_request, text, done) => {
        done(null, parseForm(text));
      });
      for (const route of routes.filter(({ isForm }) => isForm === true)) addRoute(forms, route);
    });
    scope.register(async (bodiless) => {
      // Clients name the type of a body that they do not send, or send one that nothing asks for.
      bodiless.removeContentTypeParser('application/json');
      bodiless.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
      const have = routes.filter(({ body, streamedBody }) => body === undefined && streamedBody === undefined);
      for (const route of have) addRoute(bodiless, route);
    });
    scope.register(async (streaming) => {
      streaming.removeAllContentTypeParsers();
      streaming.addContentTypeParser('*', (_request, _body, done) => done(null));
      for (const route of routes.filter(({ streamedBody }) => streamedBody !== undefined)) addRoute(streaming, route);
    });
  });
}

function addRoute(scope: FastifyInstance, route: Route): void {
  scope.route({
    method: route.method,
    url: toFastifyPath(route.path),
    config: { access: route.access },
    ...(route.access.access === 'public' && { bodyLimit: MAX_STRANGERS_BYTES }),
    // After the access was enforced, which every route has first.
    onRequest: async ({ caller, clientAddress }) => {
      route.limit?.(clientAddress);
      route.admit?.(caller);
    },
    handler: async (request, reply) => {
      assertContentType(route, request);
      const queryText = queryOf(request);
      if (route.method === 'DELETE') assertKnownQuery(route.query, queryText);
      const unknown = unknownNames(route.query, queryText);
      if (unknown.length > 0) reply.header(IGNORED_PARAMETERS_HEADER, formatIgnoredParameters(unknown));
      const run = () => answer(route, request, queryText);
      // What only reads may end with its client; a change that has begun is finished.
      const isRead = route.method === 'GET' || route.isQuery === true;
      const read = () => readOnly(() => withSignal(signalOfClient(request, reply), run));
      return sendReply(reply, await (isRead ? read() : run()));
    },
  });
}

/**
 * What anybody may make the server keep with each request: more than forms for signing in have, and little, for a client can send
 * many at once and finish none.
 */
const MAX_STRANGERS_BYTES = 64 * 1024;

function parseForm(text: string): Readonly<Record<string, string | readonly string[]>> {
  const fields = new URLSearchParams(text);
  const names = [...new Set(fields.keys())].slice(0, MAX_FIELDS);
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...others] = fields.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** Far more than any form here has. */
const MAX_FIELDS = 100;

function assertContentType({ streamedBody }: Route, { headers }: FastifyRequest): void {
  if (streamedBody === undefined) return;
  const { contentTypes } = streamedBody;
  const given = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (contentTypes.includes(given)) return;
  throw new AppError('unsupported', `Send the content type ${contentTypes.join(' or ')}.`);
}

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Finds the methods that routes have for the path of an address; none where no route has the path. */
export function methodsOfRoutes(routes: readonly Pick<Route, 'method' | 'path'>[]): (url: string) => readonly string[] {
  const patterns = [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
    pattern: new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(literal)
        .join('[^/]+')}$`,
    ),
    methods: ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  }));
  return (url) => {
    const [path = ''] = url.split('?', 1);
    return [...new Set(patterns.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))];
  };
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

function bodyOf({ exactFields }: Route, { body }: FastifyRequest): unknown {
  return exactFields === undefined ? body : unmarkNumbers(body, (field) => exactFields.includes(field));
}

function answer(route: Route, request: FastifyRequest, queryText: string): Promise<RouteReply> {
  const { params, query, body } = route;
  // The handler's types come from the very schemas that check the values here; see defineRoute.
  const handler = route.handler as unknown as (request: RouteRequest<unknown, unknown, unknown>) => Promise<RouteReply>;
  return handler({
    params: params === undefined ? {} : validate('path', params, request.params),
    query: query === undefined ? {} : parseQuery(query, queryText),
    body:
      body === undefined
        ? undefined
        : validate('body', body, bodyOf(route, request), { isSecret: route.hasSecretBody }),
    stream: request.raw,
    caller: request.caller,
    header: (name) => headerOf(request, name),
  });
}
