import type { FastifyInstance, RouteOptions } from 'fastify';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { ANYBODY } from '#api/caller';
import { AnswerBudget } from './answer-budget.ts';
import { ampleBodies } from './text-bodies.fixture.ts';
import { createHttpApp } from './http-app.ts';
import { createRouteTable, describeApi, type RouteParts } from './route-table.ts';

/** A parameter of an operation in the document. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const HEADERS = { host: 'localhost' };

let isReady = true;
let storingProblem: string | null = null;
const routes = await createRouteTable({
  services: {},
  state: {
    isReady: async () => isReady,
    findStoringProblem: async () => storingProblem,
    describe: async () => ({ damaged: { span: 1 } }),
  },
  registry: new Registry(),
} as unknown as RouteParts);

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

function start(): FastifyInstance {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const none: string[] = [];
  app = createHttpApp({
    isOpen: true,
    cookies: { isSecure: false, path: '/' },
    callers: ANYBODY,
    answers: new AnswerBudget(),
    textBodies: ampleBodies(),
    graphql: null,
    webUi: null,
    routes,
    receive: () => undefined,
    rootPath: '',
    allowedHosts: none,
    allowedOrigins: none,
    registry: null,
    log,
  });
  return app;
}

describe('the route table', () => {
  it('is everything that is served: no route is beside it, and each has the access that it declares', async () => {
    const served: string[] = [];
    const isServed = ({ method, url, config }: RouteOptions) => {
      // Every GET is answered to HEAD as well; what is refused with 405 is a list of methods.
      if (typeof method === 'string' && method !== 'HEAD') served.push(`${method} ${url} ${config?.access?.operation}`);
    };
    const server = start();
    server.addHook('onRoute', isServed);
    await server.ready();
    expect(served.toSorted()).toEqual(
      routes
        .map(({ method, path, access }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${access.operation}`)
        .toSorted(),
    );
  });

  it('is all in the OpenAPI document, with who may call it', () => {
    const { paths } = describeApi(routes);
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [method.toUpperCase(), path, operation['x-access']]),
    );
    const served = [
      ['POST', '/v1/traces', 'ingest'],
      ['POST', '/v1/logs', 'ingest'],
      ['POST', '/v1/metrics', 'ingest'],
      ...routes.map(({ method, path, access }) => [method, path, access.access]),
    ];
    // The document has the methods of a path together.
    expect(described.map(String).toSorted()).toEqual(served.map(String).toSorted());
  });

  it('describes everything that paths name, and has the default of every limit', () => {
    const parameters = Object.values(describeApi(routes).paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ operationId, parameters: all }) =>
        (all as Parameter[]).map((parameter) => ({ operationId, ...parameter })),
      ),
    );
    const ofPaths = parameters.filter((parameter) => parameter.in === 'path');
    const limits = parameters.filter(({ name }) => name === 'limit');
    expect([ofPaths.length > 50, limits.length > 20]).toEqual([true, true]);
    expect(ofPaths.filter(({ description = '' }) => description === '')).toEqual([]);
    expect(limits.filter(({ schema }) => !Number.isInteger(schema['default']))).toEqual([]);
  });

  it('names every operation once', () => {
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });

  it('opens nothing under /v1 to the public', () => {
    expect(routes.filter(({ path, access }) => path.startsWith('/v1') && access.access === 'public')).toEqual([]);
  });

  it('describes each parameter that is in a path', () => {
    for (const { path, params } of routes) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(params?.shape ?? {})).toEqual(named);
    }
  });
});

describe('the service routes', () => {
  it.each([
    ['/healthz', 'text/plain; charset=utf-8', 'OK'],
    ['/readyz', 'application/json', '{}'],
    ['/arize_phoenix_version', 'text/plain; charset=utf-8', '20.26.0'],
  ])('%s answers', async (url, contentType, body) => {
    const response = await start().inject({ url, headers: HEADERS });
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([200, contentType, body]);
  });

  it('say so when the database does not answer', async () => {
    isReady = false;
    const response = await start().inject({ url: '/readyz', headers: HEADERS });
    isReady = true;
    expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
  });

  it('say more to those who ask for it', async () => {
    const response = await start().inject({ url: '/readyz?verbose', headers: HEADERS });
    expect(response.json()).toEqual({ damaged: { span: 1 } });
  });
});

it('readiness says why nothing can be stored, and counts only where storing is required', async () => {
  storingProblem = 'The disk is full.';
  const app = start();
  const ready = await app.inject({ url: '/readyz', headers: HEADERS });
  const storing = await app.inject({ url: '/readyz?require=storing', headers: HEADERS });
  storingProblem = null;
  expect([ready.statusCode, ready.json()]).toEqual([200, { storing_problem: 'The disk is full.' }]);
  expect([storing.statusCode, storing.body]).toEqual([503, 'The disk is full.']);
  expect((await app.inject({ url: '/readyz?require=storing', headers: HEADERS })).statusCode).toBe(200);
});

it('the document that is served is that of the route table', async () => {
  const document = await start().inject({ url: '/openapi.json', headers: HEADERS });
  expect(document.json()).toEqual(describeApi(routes));
});
