/** Who calls, and whether they may: asked before anything of a request is read, for every route that an app has. */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { AppError } from '#base/errors';
import { type Access, isAllowed } from '#domain/access';
import { ANONYMOUS, type Caller } from '#domain/caller';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller;
  }
}

/** The caller of a request: everybody is the same as long as nobody is asked for credentials. */
function resolveCaller(_request: FastifyRequest): Caller {
  return ANONYMOUS;
}

/**
 * Refuses callers who do not have the access that a route declares, and to become ready with a route that declares none.
 * Add it before any route.
 */
export function enforceAccess(app: FastifyInstance): void {
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
    request.caller = resolveCaller(request);
    const access = request.is404 ? 'public' : request.routeOptions.config.access;
    if (access === undefined || !isAllowed(request.caller, access)) {
      throw new AppError('permission_denied', 'Your role does not allow you to do this.');
    }
  });
}

/** Declares one access for all routes of a scope that do not declare theirs. Add it before them. */
export function declareAccess(scope: FastifyInstance, access: Access): void {
  scope.addHook('onRoute', (route) => {
    route.config = { access, ...route.config };
  });
}
