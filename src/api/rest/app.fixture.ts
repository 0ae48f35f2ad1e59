import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '#base/errors';
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
  registerRoutes(app, routes, async ({ raw }, maxBytes) => {
    const body = await text(raw);
    if (body.length > maxBytes) throw new AppError('too_large', 'The body is too large.');
    return body;
  });
  return app;
}
