import { z } from 'zod';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { pageOrInvalidCursor } from '#api/rest/unprocessable';
import type { Caller, ForCaller } from '#domain/caller';
import type { ProjectStore } from '#store/projects/port';
import type { SpanStore } from '#store/spans/port';
import { readFilterParameter } from '../filters/operations.ts';
import { getProject } from '../projects/operations.ts';
import { getSession, listSessions, type SessionWithTraces } from './operations.ts';
import { sessionPolicy } from './policy.ts';
import { presentSession, SESSION_PARAMS } from './present.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';

const SESSION = z
  .object({
    id: z.string(),
    session_id: z.string(),
    project_id: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    traces: z.array(z.object({ id: z.string(), trace_id: z.string(), start_time: z.string(), end_time: z.string() })),
    token_count_prompt: z.int(),
    token_count_completion: z.int(),
    token_count_total: z.int(),
  })
  .meta({ id: 'Session' });

const SESSION_PAGE = {
  description: 'A page of sessions.',
  contentType: 'application/json',
  schema: z.object({ data: z.array(SESSION), next_cursor: z.string().nullable() }),
};

const PAGE_QUERY = z.object({
  // A session brings all its traces along, so that a page is far larger than its rows.
  ...pageFields(100, 1000, idPattern('ProjectSession')),
  order: z.enum(['asc', 'desc']).default('asc').describe('Sorted by arrival.'),
  filter: z
    .string()
    .optional()
    .describe('A filter in the filter language for sessions. A page may have fewer sessions than the limit, or none.'),
});

/** Clients spell the parameter differently, and one that is not understood would list the sessions of all projects. */
const PROJECT_QUERY = {
  project_identifier: z.string().optional().describe('Id or name of a project.'),
  project: z.string().optional().describe('Same as `project_identifier`.'),
  project_id: z.string().optional().describe('Same as `project_identifier`.'),
  project_name: z.string().optional().describe('Same as `project_identifier`.'),
};

const NO_PROJECT = { description: 'There is no such project.', contentType: 'text/plain' };
const BAD_FILTER = { description: 'The filter is not valid.', contentType: 'text/plain' };

/** Routes of sessions. */
export function sessionRoutes(projects: ForCaller<ProjectStore>, spans: ForCaller<SpanStore>): readonly Route[] {
  async function replyPage(caller: Caller, projectIdentifier: string | undefined, query: z.output<typeof PAGE_QUERY>) {
    const projectRowId = await findRowId(caller, projectIdentifier);
    const condition = readFilterParameter('session', query.filter);
    const page = { sort: 'id', order: query.order, limit: query.limit, cursor: query.cursor ?? null } as const;
    const { data, nextCursor } = await pageOrInvalidCursor(
      listSessions(caller, spans, { projectRowId, condition }, page),
    );
    return { body: { data: data.map(present), next_cursor: nextCursor } };
  }

  async function findRowId(caller: Caller, projectIdentifier: string | undefined): Promise<number | undefined> {
    return projectIdentifier === undefined ? undefined : (await getProject(caller, projects, projectIdentifier)).rowId;
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/sessions',
      operationId: 'listProjectSessions',
      summary: 'List the sessions of a project',
      tag: 'sessions',
      access: sessionPolicy.list,
      params: PROJECT_PARAMS,
      query: PAGE_QUERY,
      replies: { 200: SESSION_PAGE, 400: BAD_FILTER, 404: NO_PROJECT },
      handler: ({ caller, params, query }) => replyPage(caller, params.project_identifier, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/sessions',
      operationId: 'listSessions',
      summary: 'List sessions of all projects, or of one',
      tag: 'sessions',
      access: sessionPolicy.listAnywhere,
      query: PAGE_QUERY.extend(PROJECT_QUERY),
      replies: { 200: SESSION_PAGE, 400: BAD_FILTER, 404: NO_PROJECT },
      handler: ({ caller, query }) => replyPage(caller, toProjectIdentifier(query), query),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/sessions/{session_identifier}',
      operationId: 'getSession',
      summary: 'Get a session by its global id or session id',
      tag: 'sessions',
      access: sessionPolicy.read,
      params: SESSION_PARAMS,
      query: z.object(PROJECT_QUERY),
      replies: {
        200: { description: 'The session.', contentType: 'application/json', schema: z.object({ data: SESSION }) },
        404: { description: 'There is no such session or project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query }) => {
        const projectRowId = await findRowId(caller, toProjectIdentifier(query));
        return { body: { data: present(await getSession(caller, spans, params.session_identifier, projectRowId)) } };
      },
    }),
  ];
}

function toProjectIdentifier(
  query: {
    readonly [Name in keyof typeof PROJECT_QUERY]?: string | undefined;
  },
): string | undefined {
  return query.project_identifier ?? query.project ?? query.project_id ?? query.project_name;
}

function present({ session, traces }: SessionWithTraces) {
  return presentSession(session, traces);
}
