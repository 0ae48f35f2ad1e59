import { z } from 'zod';
import { pageFields, queryBoolean } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { pageOrInvalidCursor } from '#api/rest/unprocessable';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { type Services, storeOn } from '../slice.ts';
import { getProject } from './operations.ts';
import { projectPolicy } from './policy.ts';
import { presentProject } from './present.ts';

/** More than the largest organisations have, and still one small answer. */
const MAX_PAGE = 10_000;

const PROJECT = z
  .object({ id: z.string(), name: z.string(), description: z.string().nullable() })
  .meta({ id: 'Project' });

/** Routes of projects. */
export function projectRoutes({ read }: Pick<Services, 'read'>): readonly Route[] {
  const projects = storeOn(read, relationalProjectStore);
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects',
      operationId: 'listProjects',
      summary: 'List projects, newest first',
      tag: 'projects',
      access: projectPolicy.list,
      query: z.object({
        ...pageFields(100, MAX_PAGE),
        name_contains: z.string().optional().describe('Part of the name, in any case; there are no wildcards.'),
        include_experiment_projects: queryBoolean().optional(),
        include_dataset_evaluator_projects: queryBoolean().optional(),
      }),
      replies: {
        200: {
          description: 'A page of projects.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(PROJECT), next_cursor: z.string().nullable() }),
        },
      },
      handler: async ({ caller, query }) => {
        const filter = { nameContains: query.name_contains === '' ? undefined : query.name_contains };
        const page = { limit: query.limit, cursor: query.cursor ?? null };
        const { data, nextCursor } = await pageOrInvalidCursor(projects(caller).listProjects(filter, page));
        return { body: { data: data.map(presentProject), next_cursor: nextCursor } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}',
      operationId: 'getProject',
      summary: 'Get a project by its id or name',
      tag: 'projects',
      access: projectPolicy.read,
      params: z.object({ project_identifier: z.string() }),
      replies: {
        200: {
          description: 'The project.',
          contentType: 'application/json',
          schema: z.object({ data: PROJECT }),
        },
        404: { description: 'There is no such project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params }) => ({
        body: { data: presentProject(await getProject(caller, projects, params.project_identifier)) },
      }),
    }),
  ];
}
