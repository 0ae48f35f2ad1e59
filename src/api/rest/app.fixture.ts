import Fastify, { type FastifyInstance } from 'fastify';
import { ANYBODY } from '../caller.ts';
import { enforceAccess } from './access.ts';
import { registerRoutes } from './register.ts';
import { answerErrors } from './reply.ts';
import type { Route } from './route.ts';

/** An application with these routes and nothing around them, for tests of routes; a fault of theirs fails the test's process. */
export function appOf(routes: readonly Route[]): FastifyInstance {
  const app = Fastify();
  enforceAccess(app, ANYBODY);
  answerErrors(
    app,
    (error) => {
      throw error;
    },
    null,
  );
  registerRoutes(app, routes);
  return app;
}
