import { BlockList } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { currentAsker } from '#base/asker';
import { ANONYMOUS, NOBODY } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import { ANYBODY, type Callers } from '../caller.ts';
import { testPolicy } from '../test-policy.fixture.ts';
import { declareAccess, enforceAccess } from './access.ts';
import { answerErrors } from './reply.ts';

let app: FastifyInstance;

afterEach(() => app.close());

it('an application with a route that does not declare its access does not start', async () => {
  app = Fastify();
  enforceAccess(app, ANYBODY);
  app.get('/open', () => 'x');
  await expect(app.ready()).rejects.toThrow('/open does not declare who may call it');
});

it('a scope can declare the access of all its routes that do not', async () => {
  app = Fastify();
  enforceAccess(app, ANYBODY);
  app.register(async (scope) => {
    declareAccess(scope, testPolicy.write);
    scope.get('/a', ({ routeOptions }) => routeOptions.config.access?.operation);
    scope.get(
      '/b',
      { config: { access: testPolicy.open } },
      ({ routeOptions }) => routeOptions.config.access?.operation,
    );
  });
  expect((await app.inject('/a')).body).toBe('test.write');
  expect((await app.inject('/b')).body).toBe('test.open');
});

it('the caller is known to the handler', async () => {
  app = Fastify();
  enforceAccess(app, ANYBODY);
  app.get('/who', { config: { access: testPolicy.manage } }, ({ caller }) => caller.kind);
  expect((await app.inject('/who')).body).toBe('anonymous');
});

it('the address of the client is known to the handler, and to what looks for the caller', async () => {
  app = Fastify();
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const seen: (string | undefined)[] = [];
  const resolve: Callers['resolve'] = async ({ remoteAddress }) => {
    seen.push(remoteAddress);
    return ANONYMOUS;
  };
  enforceAccess(app, { ...ANYBODY, resolve }, proxies);
  app.get('/from', { config: { access: testPolicy.manage } }, ({ clientAddress }) => clientAddress);
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
  expect((await app.inject({ url: '/from', headers })).body).toBe('198.51.100.7');
  expect(seen).toEqual(['198.51.100.7']);
});

it('a handler works for its caller and address, each request for itself, also after a body', async () => {
  app = Fastify();
  enforceAccess(app, ANYBODY);
  const seen: ReturnType<typeof currentAsker>[] = [];
  const handler = async () => {
    await new Promise(setImmediate);
    seen.push(currentAsker());
    return '';
  };
  app.get('/asked', { config: { access: testPolicy.manage } }, handler);
  app.post('/asked', { config: { access: testPolicy.manage } }, handler);
  await app.inject('/asked');
  await app.inject({ method: 'POST', url: '/asked', payload: { long: 'x'.repeat(100_000) } });
  expect(seen.map((asker) => asker?.shares)).toEqual([['127.0.0.1'], ['127.0.0.1']]);
  expect(new Set(seen.map((asker) => asker?.operation)).size).toBe(2);
  expect(currentAsker()).toBe(undefined);
});

it.each(['/v1/things', '/%761/things', '/v%31/things'])(
  'a viewer writes nothing at %s, whatever it leads to',
  async (url) => {
    app = Fastify();
    enforceAccess(app, { ...ANYBODY, resolve: async () => userCaller('viewer') });
    answerErrors(app, () => undefined, null);
    app.post('/v1/things', { config: { access: testPolicy.read } }, () => 'done');
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(403);
  },
);

it.each(['/v1/absent', '/%761/absent'])('a stranger does not learn that there is no %s', async (url) => {
  app = Fastify();
  enforceAccess(app, { ...ANYBODY, resolve: async () => NOBODY });
  expect((await app.inject(url)).body).toContain('not authenticated');
});

it('what is refused is noted once, whether before or after the caller was admitted', async () => {
  app = Fastify();
  const noted: string[] = [];
  enforceAccess(app, {
    ...ANYBODY,
    resolve: async () => userCaller('member'),
    noteRefusal: ({ kind }, { operation }) => noted.push(`${kind} ${operation}`),
  });
  answerErrors(app, () => undefined, null);
  const fail = (code: 'permission_denied' | 'not_found') => async () => {
    throw new AppError(code, 'No.');
  };
  app.get('/late', { config: { access: testPolicy.read } }, fail('permission_denied'));
  app.get('/open', { config: { access: testPolicy.open } }, fail('permission_denied'));
  app.get('/absent', { config: { access: testPolicy.read } }, fail('not_found'));
  app.get('/early', { config: { access: testPolicy.manage } }, () => 'done');
  app.register(async (scope) => {
    scope.setErrorHandler((_error, _request, reply) => reply.code(403).send('No.'));
    scope.get('/scoped', { config: { access: testPolicy.write } }, fail('permission_denied'));
  });
  const statusOf = async (url: string) => (await app.inject(url)).statusCode;
  const statuses = [];
  for (const url of ['/late', '/open', '/absent', '/early', '/scoped']) statuses.push(await statusOf(url));
  expect(statuses).toEqual([403, 403, 404, 403, 403]);
  expect(noted).toEqual(['user test.read', 'user test.manage', 'user test.write']);
});
