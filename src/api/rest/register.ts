/** Registers a table of routes into an HTTP application. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endTogether } from '#base/cancellation';
import { AppError } from '#base/errors';
import { markLosses, unmarkNumbers } from '#base/json';
import { readOnly } from '#base/read-only';
import { signalOfClient } from '../client-signal.ts';
import { headerOf } from './access.ts';
import { formatIgnoredParameters, IGNORED_PARAMETERS_HEADER } from './ignored-parameters.ts';
import { jsonParser } from './json-parser.ts';
import { partsOfPath, patternOfPath, toFastifyPath } from './path-pattern.ts';
import { assertKnownQuery, parseQuery, unknownNames } from './query.ts';
import { refuseMethod, sendReply } from './reply.ts';
import { FORM_TYPE, type Route, type RouteReply, type RouteRequest } from './route.ts';
import { validate } from './validation.ts';

/**
 * Reads the body of a request as text.
 * @throws AppError where it is larger, or there is no room for it
 */
export type ReadText = (request: FastifyRequest, maxBytes: number) => Promise<string>;

/** Adds the routes. What no route has, `answerErrors` answers. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], readText: ReadText): void {
  const parse = (scope: FastifyInstance, type: string, parseText: ParseText) =>
    scope.addContentTypeParser(type, async (request: FastifyRequest) =>
      parseText(request, await readText(request, request.routeOptions.bodyLimit)),
    );
  const refuseOthers = (scope: FastifyInstance, type: string) =>
    scope.addContentTypeParser('*', async () => {
      throw new AppError('unsupported', `Send the content type ${type}.`);
    });
  app.register(async (scope) => {
    // A page of any origin may send text without being asked first; JSON it may not.
    scope.removeContentTypeParser('text/plain');
    // A member `__proto__` is unknown, as others are that a body may have beside those that are read.
    scope.removeContentTypeParser('application/json');
    parse(scope, 'application/json', jsonParser(scope, 'remove'));
    refuseOthers(scope, 'application/json');
    const withBody = routes.filter(({ body, isForm }) => body !== undefined && isForm !== true);
    for (const route of withBody.filter(({ exactFields }) => exactFields === undefined)) addRoute(scope, route, routes);
    scope.register(async (exact) => {
      const parseJson = jsonParser(exact, 'error');
      exact.removeContentTypeParser('application/json');
      parse(exact, 'application/json', (request, text) => parseJson(request, markLosses(text)));
      for (const route of withBody.filter(({ exactFields }) => exactFields !== undefined))
        addRoute(exact, route, routes);
    });
    scope.register(async (forms) => {
      forms.removeAllContentTypeParsers();
      parse(forms, FORM_TYPE, (_request, text) => parseForm(text));
      refuseOthers(forms, FORM_TYPE);
      for (const route of routes.filter(({ isForm }) => isForm === true)) addRoute(forms, route, routes);
    });
    scope.register(async (bodiless) => {
      // Clients name the type of a body that they do not send, or send one that nothing asks for.
      bodiless.removeContentTypeParser('application/json');
      bodiless.addContentTypeParser('application/json', (_request, _body, done) => done(null));
      const have = routes.filter(({ body, streamedBody }) => body === undefined && streamedBody === undefined);
      for (const route of have) addRoute(bodiless, route, routes);
    });
    scope.register(async (streaming) => {
      streaming.removeAllContentTypeParsers();
      streaming.addContentTypeParser('*', (_request, _body, done) => done(null));
      for (const route of routes.filter(({ streamedBody }) => streamedBody !== undefined))
        addRoute(streaming, route, routes);
    });
  });
}

type ParseText = (request: FastifyRequest, text: string) => unknown;

function addRoute(scope: FastifyInstance, route: Route, routes: readonly Route[]): void {
  const others = moreConcrete(route, routes);
  scope.route({
    method: route.method,
    url: toFastifyPath(route.path),
    config: { access: route.access },
    ...(route.access.access === 'public' && { bodyLimit: MAX_STRANGERS_BYTES }),
    // After the access was enforced, which every route has first.
    onRequest: async ({ caller, clientAddress, method, url }, reply) => {
      const methods = methodsAt(others, url);
      if (methods !== undefined) return sendReply(reply, refuseMethod(method, methods));
      route.limit?.(clientAddress);
      route.admit?.(caller);
      return undefined;
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
      const read = () => readOnly(() => endTogether(signalOfClient(request, reply), run));
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
  // A body that is not there has no type: what the handler says of an empty one is more to the point.
  if (contentTypes.includes(given) || (given === '' && !hasBody(headers))) return;
  throw new AppError('unsupported', `Send the content type ${contentTypes.join(' or ')}.`);
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Finds the methods that routes have for the path of an address; none where no route has the path. */
export function methodsOfRoutes(routes: readonly PathOfRoute[]): (url: string) => readonly string[] {
  const paths = describePaths(routes).toSorted((a, b) => a.parameterCount - b.parameterCount);
  return (url) => methodsAt(paths, url) ?? [];
}

type PathOfRoute = Pick<Route, 'method' | 'path'>;

interface DescribedPath {
  readonly path: string;
  readonly pattern: RegExp;
  readonly parameterCount: number;
  readonly methods: readonly string[];
}

function describePaths(routes: readonly PathOfRoute[]): readonly DescribedPath[] {
  return [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
    path,
    pattern: patternOfPath(path),
    parameterCount: partsOfPath(path).length >> 1,
    methods: ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  }));
}

/** Of the first path that the address has. */
function methodsAt(paths: readonly DescribedPath[], url: string): readonly string[] | undefined {
  if (paths.length === 0) return undefined;
  const [path = ''] = url.split('?', 1);
  return paths.find(({ pattern }) => pattern.test(path))?.methods;
}

/**
 * The paths that the pattern of a route matches as well, and that take precedence with other methods: `delete` in `/v1/sessions/delete`
 * is no session.
 * @see https://spec.openapis.org/oas/v3.1.1.html#path-templating-matching
 */
function moreConcrete({ method, path }: Route, routes: readonly Route[]): readonly DescribedPath[] {
  const pattern = patternOfPath(path);
  return describePaths(routes).filter(
    (other) => other.path !== path && pattern.test(other.path) && !other.methods.includes(method),
  );
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
