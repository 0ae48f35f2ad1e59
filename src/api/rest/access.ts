/** Who calls, and whether they may: asked before anything of a request is read, for every route that an app has. */
import type { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { withAsker } from '#base/asker';
import type { Permission } from '#domain/access';
import type { Caller } from '#domain/caller';
import { admitCaller, type Callers, type Credentials, noteLateRefusal, refuseWritingViewer } from '../caller.ts';
import { clientAddress } from '../client-address.ts';
import { httpPolicy } from '../policy.ts';
import { sharesOfCaller } from '../shares-of-caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller of the route must be allowed. */
    access?: Permission;
  }
  interface FastifyRequest {
    caller: Caller;
    /** What the caller was admitted to; `undefined` where it was not. */
    admittedTo: Permission | undefined;
    /** From where it was sent, as far as proxies are trusted; `undefined` when the connection is gone. */
    clientAddress: string | undefined;
  }
}

/**
 * Refuses callers who do not have the access that a route declares, and to become ready with a route that declares none.
 * Add it before any route.
 */
export function enforceAccess(app: FastifyInstance, callers: Callers, trustedProxies: BlockList | null = null): void {
  const routes: RouteOptions[] = [];
  app.decorateRequest('caller');
  app.decorateRequest('admittedTo');
  app.decorateRequest('clientAddress');
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
    request.clientAddress = addressOf(request, trustedProxies);
    const isApi = API_URL.test(request.url);
    // Callers without credentials learn nothing of the paths that there are.
    const isRefusal = access === httpPolicy.refusePath || access === httpPolicy.refuseMethod;
    const demanded = isApi && isRefusal ? httpPolicy.refuseApi : access;
    request.caller = await admitCaller(callers, demanded, credentialsOf(request), (caller) => {
      if (isApi) refuseWritingViewer(caller, request.method, demanded);
    });
    request.admittedTo = demanded;
  });
  // After bodies were read, whose events know nothing of it.
  app.addHook('preHandler', ({ caller }, _reply, done) => withAsker(sharesOfCaller(caller), done));
  app.addHook('onError', async ({ caller, admittedTo }, _reply, error) => {
    // What is public notes by itself whom it refuses.
    if (admittedTo !== undefined && admittedTo.access !== 'public') noteLateRefusal(callers, caller, admittedTo, error);
  });
}

/** Below `/v1`, whose characters may also be sent encoded: the router decodes them. */
const API_URL = /^\/(?:v|%76)(?:1|%31)(?:[/?#]|$)/;

/** From where a request was sent; `undefined` when the connection is gone. */
export function addressOf(request: FastifyRequest, trustedProxies: BlockList | null): string | undefined {
  return clientAddress(request.raw.socket.remoteAddress, headerOf(request, 'x-forwarded-for'), trustedProxies);
}

/** Declares one access for all routes of a scope that do not declare theirs. Add it before them. */
export function declareAccess(scope: FastifyInstance, access: Permission): void {
  scope.addHook('onRoute', (route) => {
    route.config = { access, ...route.config };
  });
}

function credentialsOf(request: FastifyRequest): Credentials {
  return {
    header: (name) => headerOf(request, name),
    remoteAddress: request.clientAddress,
    path: request.url.split('?')[0],
  };
}

/** A header by its lower-case name; `undefined` where it stands there several times. */
export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
