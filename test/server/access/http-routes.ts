/** Every route that a server has: the table, OTLP, GraphQL and pages. */
import type { RouteOptions } from 'fastify';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { ANYBODY } from '#api/caller';
import { AnswerBudget } from '#server/answer-budget';
import { ampleBodies } from '#server/text-bodies.fixture';
import { createHttpApp } from '#server/http-app';
import { registerOtlpHttp } from '#server/otlp-http';
import { RecordingReceiver } from '#server/recording-receiver';
import { createRouteTable, type RouteParts } from '#server/route-table';

/** A route of the application, its path as the table of routes writes it. */
export interface HttpRoute {
  readonly method: string;
  readonly path: string;
  /** As the route declares it. */
  readonly operation: string;
}

/** All of them but those that refuse methods, and the files of pages, which a build has. */
export async function listHttpRoutes(): Promise<readonly HttpRoute[]> {
  const silent = () => undefined;
  const app = createHttpApp({
    callers: ANYBODY,
    answers: new AnswerBudget(),
    textBodies: ampleBodies(),
    graphql: () => expect.fail('no operation is run'),
    webUi: { grpcAddress: () => '' },
    routes: await createRouteTable({ services: {}, registry: new Registry(), state: {} } as RouteParts),
    receive: (scope) =>
      registerOtlpHttp(scope, () => new RecordingReceiver(), {
        pathPrefix: '',
        maxBytes: 1,
        onFault: silent,
        onRefused: silent,
      }),
    cookies: { isSecure: false, path: '/' },
    isOpen: true,
    rootPath: '',
    allowedHosts: [],
    allowedOrigins: [],
    registry: null,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const declared: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void declared.push(route));
  await app.ready();
  await app.close();
  // Only now has each scope declared what its routes do not.
  const routes = declared.flatMap(({ method, url, config }) =>
    [method].flat().map((one) => ({
      method: one,
      path: url.replaceAll(/:(\w+)/g, '{$1}'),
      operation: config?.access?.operation ?? '',
    })),
  );
  return routes.filter(({ path, operation }) => operation !== 'http.refuseMethod' && !isFile(path, operation));
}

function isFile(path: string, operation: string): boolean {
  return operation === 'service.openPages' && /\.\w+$/.test(path);
}

/** Paths of OTLP that other backends have. */
const OTLP_BASES = /^\/(?:api\/public\/)?otel(?=\/v1\/)/;

/** By the operation of the table: the paths that are one, with what answers HEAD for GET. */
export function operationsOfRoutes(routes: readonly HttpRoute[]): ReadonlyMap<string, readonly HttpRoute[]> {
  return Map.groupBy(
    routes,
    ({ method, path }) => `${method === 'HEAD' ? 'GET' : method} ${path.replace(OTLP_BASES, '')}`,
  );
}
