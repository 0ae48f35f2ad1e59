/** Registers a table of routes into an HTTP application. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { parseQuery } from './query.ts';
import { sendReply } from './reply.ts';
import type { Route, RouteReply, RouteRequest } from './route.ts';
import { validate } from './validation.ts';

/** Adds the routes; another method on one of their paths is answered with 405 and the methods that it has. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  app.register(async (scope) => {
    // A page of any origin may send text without being asked first; JSON it may not.
    scope.removeContentTypeParser('text/plain');
    for (const route of routes) {
      scope.route({
        method: route.method,
        url: toFastifyPath(route.path),
        config: { access: route.access },
        handler: async (request, reply) => sendReply(reply, await answer(route, request)),
      });
    }
    for (const [path, allowed] of methodsByPath(routes)) {
      scope.route({
        method: METHODS.filter((method) => !allowed.includes(method)),
        url: path,
        config: { access: 'public' },
        // Before the body, which can be of a type that nothing here reads.
        onRequest: async (request, reply) =>
          sendReply(reply, {
            status: 405,
            headers: { allow: allowed.join(', ') },
            body: `This version does not offer ${request.method} on this path, only ${allowed.join(', ')}.`,
          }),
        handler: () => undefined,
      });
    }
  });
}

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const url = toFastifyPath(path);
    methods.set(url, [...(methods.get(url) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  return methods;
}

function answer(route: Route, request: FastifyRequest): Promise<RouteReply> {
  const { params, query, body } = route;
  const queryStart = request.url.indexOf('?');
  // The handler's types come from the very schemas that check the values here; see defineRoute.
  const handler = route.handler as unknown as (request: RouteRequest<unknown, unknown, unknown>) => Promise<RouteReply>;
  return handler({
    params: params === undefined ? {} : validate('path', params, request.params),
    query: query === undefined ? {} : parseQuery(query, queryStart === -1 ? '' : request.url.slice(queryStart + 1)),
    body: body === undefined ? undefined : validate('body', body, request.body),
    principal: request.principal,
    header: (name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
  });
}
