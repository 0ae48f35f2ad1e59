/** Routes about the server itself. */
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { AppError } from '#base/errors';
import { PHOENIX_COMPATIBLE_VERSION } from '#base/version';
import { defineRoute, type Route } from '#api/rest/route';
import { servicePolicy } from './policy.ts';

const READINESS = z.looseObject({ storing_problem: z.string().optional().describe('Why nothing can be stored.') });

/** The state of the server that its service routes tell. */
export interface ServiceState {
  readonly isReady: () => Promise<boolean>;
  /** Why nothing can be stored, for people to read; `null` where it can. */
  readonly findStoringProblem: () => Promise<string | null>;
  /** More about it, for people. Anyone may ask, so it names nothing that is stored. */
  readonly describe: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Health, metrics and version. */
export function serviceRoutes(
  { isReady, findStoringProblem, describe }: ServiceState,
  registry: Registry,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      operationId: 'getHealth',
      summary: 'Check whether the process responds',
      tag: 'service',
      access: servicePolicy.checkHealth,
      replies: { 200: { description: 'It responds.', contentType: 'text/plain' } },
      handler: async () => ({ body: 'OK' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Check whether the database responds',
      description:
        'A server that cannot store, as on a full disk or beside damaged pages, still answers readers and deletes, so that it stays ready; the body says why it does not store. With `require=storing` it is not ready then.',
      tag: 'service',
      access: servicePolicy.checkReadiness,
      query: z.object({
        require: z.enum(['reading', 'storing']).default('reading'),
        verbose: z
          .string()
          .optional()
          .describe(
            'With any value or none: adds what is known to be damaged, as numbers, and how far the verification of everything stored is.',
          ),
      }),
      replies: {
        200: { description: 'It responds.', contentType: 'application/json', schema: READINESS },
        503: { description: 'It does not respond, or cannot store.', contentType: 'text/plain' },
      },
      handler: async ({ query }) => {
        if (!(await isReady())) throw new AppError('unavailable', 'The database is not responding.');
        const problem = await findStoringProblem();
        if (problem !== null && query.require === 'storing') throw new AppError('unavailable', problem);
        return {
          body: {
            ...(problem !== null && { storing_problem: problem }),
            ...(query.verbose !== undefined && (await describe())),
          },
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: "Get the server's metrics for Prometheus",
      tag: 'service',
      access: servicePolicy.readMetrics,
      replies: { 200: { description: 'The metrics, as text.', contentType: 'text/plain' } },
      handler: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/arize_phoenix_version',
      operationId: 'getPhoenixVersion',
      summary: 'Get the compatible Phoenix release',
      tag: 'service',
      access: servicePolicy.readVersion,
      replies: { 200: { description: 'The version.', contentType: 'text/plain' } },
      handler: async () => ({ body: PHOENIX_COMPATIBLE_VERSION }),
    }),
  ];
}
