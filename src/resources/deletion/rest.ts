import { z } from 'zod';
import { queryTime } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { UnprocessableError } from '#api/rest/unprocessable';
import { formatGlobalId } from '#base/global-id';
import { getProject } from '../projects/operations.ts';
import {
  deleteProject,
  deleteProjectTraces,
  deleteSession,
  deleteSessions,
  deleteSpan,
  deleteTrace,
  MAX_IDS,
  type RemovalParts,
  transferTraces,
} from './operations.ts';
import { deletionPolicy } from './policy.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';
import { SESSION_PARAMS } from '../sessions/present.ts';
import { SPAN_PARAMS } from '../spans/present/params.ts';
import { TRACE_PARAMS } from '../traces/present.ts';

const GONE = { description: 'It was deleted.' };
const NO_PROJECT = { description: 'There is no such project.', contentType: 'text/plain' };

const IDENTIFIERS = z.array(z.string()).min(1).max(MAX_IDS);

/** Clients spell the parameter differently; one that is not understood would delete in another project. */
const PROJECT_QUERY = z.object({
  project_identifier: z.string().optional().describe('Id or name of a project.'),
  project: z.string().optional().describe('Same as `project_identifier`.'),
  project_id: z.string().optional().describe('Same as `project_identifier`.'),
  project_name: z.string().optional().describe('Same as `project_identifier`.'),
});

/** Routes that delete and move. */
export function removalRoutes(parts: RemovalParts): readonly Route[] {
  return [...projectRoutes(parts), ...traceRoutes(parts), ...sessionRoutes(parts)];
}

function projectRoutes(parts: RemovalParts): readonly Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/v1/projects/{project_identifier}',
      operationId: 'deleteProject',
      summary: 'Delete a project and everything in it',
      tag: 'projects',
      access: deletionPolicy.deleteProject,
      params: PROJECT_PARAMS,
      replies: {
        204: GONE,
        403: { description: 'The project `default` cannot be deleted.', contentType: 'text/plain' },
        404: NO_PROJECT,
      },
      handler: async ({ caller, params }) => {
        const { rowId } = await getProject(caller, parts.projects, params.project_identifier);
        await deleteProject(caller, parts, rowId);
        return DONE;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/projects/{project_identifier}/traces',
      operationId: 'deleteProjectTraces',
      summary: 'Delete the traces of a project that start in a time range',
      description: 'Sessions that this leaves empty are deleted as well. Spans that arrive later are kept.',
      tag: 'traces',
      access: deletionPolicy.clearProject,
      params: PROJECT_PARAMS,
      query: z.object({
        start_time: queryTime().describe('Only traces that start at this time or later.'),
        end_time: queryTime().describe('Only traces that start before this time.'),
      }),
      replies: { 204: GONE, 404: NO_PROJECT },
      handler: async ({ caller, params, query }) => {
        const { start_time: startTimeUs, end_time: endTimeUs } = query;
        const { rowId } = await getProject(caller, parts.projects, params.project_identifier);
        if (startTimeUs >= endTimeUs) throw new UnprocessableError('start_time must be before end_time.');
        await deleteProjectTraces(caller, parts, rowId, { startTimeUs, endTimeUs });
        return DONE;
      },
    }),
  ];
}

function traceRoutes(parts: RemovalParts): readonly Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/v1/traces/{trace_identifier}',
      operationId: 'deleteTrace',
      summary: 'Delete a trace by its id or OpenTelemetry id',
      tag: 'traces',
      access: deletionPolicy.deleteTraces,
      params: TRACE_PARAMS,
      replies: { 204: GONE, 404: { description: 'There is no such trace.', contentType: 'text/plain' } },
      handler: async ({ caller, params }) => {
        await deleteTrace(caller, parts, params.trace_identifier);
        return DONE;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/traces/transfer',
      operationId: 'transferTraces',
      summary: 'Move traces to another project',
      description:
        'All traces must belong to one project. Each trace joins the session of the target project that has the same id. Spans that arrive later for a moved trace follow it.',
      tag: 'traces',
      access: deletionPolicy.transferTraces,
      body: z.object({
        trace_identifiers: IDENTIFIERS.describe('Ids or OpenTelemetry ids.'),
        destination_project_identifier: z.string().describe('Id or name.'),
      }),
      replies: {
        200: {
          description: 'The traces were moved.',
          contentType: 'application/json',
          schema: z.object({
            data: z.object({ transferred_trace_count: z.int(), destination_project_id: z.string() }),
          }),
        },
        404: {
          description: 'There is no such project, or a trace does not exist; nothing was moved.',
          contentType: 'text/plain',
        },
      },
      handler: async ({ caller, body }) => {
        const { trace_identifiers, destination_project_identifier } = body;
        const { traceCount, projectRowId } = await transferTraces(
          caller,
          parts,
          trace_identifiers,
          destination_project_identifier,
        );
        return {
          body: {
            data: {
              transferred_trace_count: traceCount,
              destination_project_id: formatGlobalId('Project', projectRowId),
            },
          },
        };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/spans/{span_identifier}',
      operationId: 'deleteSpan',
      summary: 'Delete one span by its id or OpenTelemetry id',
      description: 'Its children are kept, without their parent. Deleting the last span of a trace deletes the trace.',
      tag: 'spans',
      access: deletionPolicy.deleteSpan,
      params: SPAN_PARAMS,
      replies: { 204: GONE, 404: { description: 'There is no such span.', contentType: 'text/plain' } },
      handler: async ({ caller, params }) => {
        await deleteSpan(caller, parts, params.span_identifier);
        return DONE;
      },
    }),
  ];
}

function sessionRoutes(parts: RemovalParts): readonly Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/v1/sessions/{session_identifier}',
      operationId: 'deleteSession',
      summary: 'Delete a session by its global id or session id, with all its traces',
      tag: 'sessions',
      access: deletionPolicy.deleteSessions,
      params: SESSION_PARAMS,
      query: PROJECT_QUERY,
      replies: {
        204: GONE,
        404: { description: 'There is no such session or project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query }) => {
        const identifier = query.project_identifier ?? query.project ?? query.project_id ?? query.project_name;
        const project = identifier === undefined ? undefined : await getProject(caller, parts.projects, identifier);
        await deleteSession(caller, parts, params.session_identifier, project);
        return DONE;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/sessions/delete',
      operationId: 'deleteSessions',
      summary: 'Delete sessions with all their traces',
      description: 'Name all by their global ids, or all by their session ids. Sessions that do not exist are skipped.',
      tag: 'sessions',
      access: deletionPolicy.deleteSessions,
      body: z.object({ session_identifiers: IDENTIFIERS }),
      replies: { 204: GONE },
      handler: async ({ caller, body }) => {
        await deleteSessions(caller, parts, body.session_identifiers);
        return DONE;
      },
    }),
  ];
}

const DONE = { status: 204, body: undefined };
