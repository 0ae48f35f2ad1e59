import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { declareAccess, enforceAccess } from './access.ts';

let app: FastifyInstance;

afterEach(() => app.close());

it('an application with a route that does not declare its access does not start', async () => {
  app = Fastify();
  enforceAccess(app);
  app.get('/open', () => 'x');
  await expect(app.ready()).rejects.toThrow('/open does not declare who may call it');
});

it('a scope can declare the access of all its routes that do not', async () => {
  app = Fastify();
  enforceAccess(app);
  app.register(async (scope) => {
    declareAccess(scope, 'write');
    scope.get('/a', ({ routeOptions }) => routeOptions.config.access);
    scope.get('/b', { config: { access: 'public' } }, ({ routeOptions }) => routeOptions.config.access);
  });
  expect((await app.inject('/a')).body).toBe('write');
  expect((await app.inject('/b')).body).toBe('public');
});

it('the caller is known to the handler', async () => {
  app = Fastify();
  enforceAccess(app);
  app.get('/who', { config: { access: 'admin' } }, ({ caller }) => caller.kind);
  expect((await app.inject('/who')).body).toBe('anonymous');
});
