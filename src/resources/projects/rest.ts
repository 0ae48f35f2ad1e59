import { z } from 'zod';
import { PLAIN_LINE, PLAIN_LINES } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields, queryBoolean } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { orUnprocessable, pageOrInvalidCursor } from '#api/rest/unprocessable';
import { reachOf } from '#domain/access';
import { MAX_ROW_TEXT } from '#derive/bounded-text';
import type { ForCaller } from '#domain/caller';
import { MAX_DESCRIPTION_LENGTH } from '#domain/project-look';
import type { CommandCalls } from '#store/commands/command';
import type { ProjectStore } from '#store/projects/port';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { type Services, storeOn } from '../slice.ts';
import type { ProjectCommands } from './commands.ts';
import { getProject } from './operations.ts';
import { projectPolicy } from './policy.ts';
import { presentProject, PROJECT_PARAMS } from './present.ts';

/** More than the largest organisations have, and still one small answer. */
const MAX_PAGE = 10_000;

const DESCRIPTION = z.string().meta({ pattern: PLAIN_LINES, maxLength: MAX_DESCRIPTION_LENGTH }).nullish();

const PROJECT = z
  .object({ id: z.string(), name: z.string(), description: z.string().nullable() })
  .meta({ id: 'Project' });

const ONE_PROJECT = { contentType: 'application/json', schema: z.object({ data: PROJECT }) };

/** Routes of projects. */
export function projectRoutes(
  { read }: Pick<Services, 'read'>,
  commands: CommandCalls<ProjectCommands>,
): readonly Route[] {
  const projects = storeOn(read, relationalProjectStore);
  return [...readingRoutes(projects), ...changingRoutes(projects, commands)];
}

function readingRoutes(projects: ForCaller<ProjectStore>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects',
      operationId: 'listProjects',
      summary: 'List projects, newest first',
      tag: 'projects',
      access: projectPolicy.list,
      query: z.object({
        ...pageFields(100, MAX_PAGE, idPattern('Project')),
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
        const nameContains = query.name_contains === '' ? undefined : query.name_contains;
        const filter = { nameContains, rowIds: reachOf(caller) };
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
      params: PROJECT_PARAMS,
      replies: {
        200: { ...ONE_PROJECT, description: 'The project.' },
        404: { description: 'There is no such project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params }) => ({
        body: { data: presentProject(await getProject(caller, projects, params.project_identifier)) },
      }),
    }),
  ];
}

function changingRoutes(projects: ForCaller<ProjectStore>, commands: CommandCalls<ProjectCommands>): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/projects',
      operationId: 'createProject',
      summary: 'Create a project',
      tag: 'projects',
      access: projectPolicy.create,
      body: z.object({
        name: z.string().min(1).meta({ pattern: PLAIN_LINE, maxLength: MAX_ROW_TEXT }),
        description: DESCRIPTION,
      }),
      replies: {
        200: { ...ONE_PROJECT, description: 'The project was created.' },
        409: { description: 'There is a project of that name.', contentType: 'text/plain' },
      },
      handler: async ({ caller, body: { name, description } }) => {
        const project = await orUnprocessable(commands.create(caller, { name, description }));
        return { body: { data: presentProject(project) } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/projects/{project_identifier}',
      operationId: 'updateProject',
      summary: 'Change the description of a project',
      description: 'The name stays. A description that is null or absent stays, too.',
      tag: 'projects',
      access: projectPolicy.patch,
      params: PROJECT_PARAMS,
      body: z.object({ description: DESCRIPTION }),
      replies: {
        200: { ...ONE_PROJECT, description: 'The project as it is now.' },
        404: { description: 'There is no such project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, body }) => {
        const project = await getProject(caller, projects, params.project_identifier);
        if (body.description == null) return { body: { data: presentProject(project) } };
        const { rowId } = project;
        const changed = await orUnprocessable(commands.patch(caller, { rowId, description: body.description }));
        return { body: { data: presentProject(changed) } };
      },
    }),
  ];
}
