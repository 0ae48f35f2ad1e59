import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { resolveToAnonymous } from '../caller.ts';
import { testPolicy } from '../test-policy.fixture.ts';
import { declareAccess, enforceAccess } from './access.ts';

let app: FastifyInstance;

afterEach(() => app.close());

it('an application with a route that does not declare its access does not start', async () => {
  app = Fastify();
  enforceAccess(app, resolveToAnonymous);
  app.get('/open', () => 'x');
  await expect(app.ready()).rejects.toThrow('/open does not declare who may call it');
});

it('a scope can declare the access of all its routes that do not', async () => {
  app = Fastify();
  enforceAccess(app, resolveToAnonymous);
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
  enforceAccess(app, resolveToAnonymous);
  app.get('/who', { config: { access: testPolicy.manage } }, ({ caller }) => caller.kind);
  expect((await app.inject('/who')).body).toBe('anonymous');
});
