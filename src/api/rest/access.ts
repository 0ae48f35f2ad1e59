/** Who calls, and whether they may: asked before anything of a request is read, for every route that an app has. */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Permission } from '#domain/access';
import type { Caller } from '#domain/caller';
import { admitCaller, type Credentials, type ResolveCaller } from '../caller.ts';
import { httpPolicy } from '../policy.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller of the route must be allowed. */
    access?: Permission;
  }
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * Refuses callers who do not have the access that a route declares, and to become ready with a route that declares none.
 * Add it before any route.
 */
export function enforceAccess(app: FastifyInstance, resolveCaller: ResolveCaller): void {
  const routes: RouteOptions[] = [];
  app.decorateRequest('caller');
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const undeclared = routes.find(({ config }) => config?.access === undefined);
    if (undeclared !== undefined) throw new Error(`${undeclared.url} does not declare who may call it.`);
  });
  app.addHook('onRequest', async (request) => {
    const access = request.is404 ? httpPolicy.refusePath : request.routeOptions.config.access;
    if (access === undefined) throw new Error(`${request.url} does not declare who may call it.`);
    request.caller = await admitCaller(resolveCaller, access, credentialsOf(request));
  });
}

/** Declares one access for all routes of a scope that do not declare theirs. Add it before them. */
export function declareAccess(scope: FastifyInstance, access: Permission): void {
  scope.addHook('onRoute', (route) => {
    route.config = { access, ...route.config };
  });
}

function credentialsOf(request: FastifyRequest): Credentials {
  return { header: (name) => headerOf(request, name), remoteAddress: request.raw.socket.remoteAddress };
}

/** A header by its lower-case name; `undefined` where it stands there several times. */
export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
