import { z } from 'zod';
import { idPattern } from '#api/rest/id-pattern';
import { defineRoute, type Route } from '#api/rest/route';
import { UnprocessableError } from '#api/rest/unprocessable';
import { formatGlobalId, parseGlobalId } from '#base/global-id';
import { DEFAULT_POLICY_ROW_ID } from '#domain/retention';
import type { CommandCalls } from '#store/commands/command';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { getProject } from '../projects/operations.ts';
import { type Services, storeOn } from '../slice.ts';
import type { RetentionCommands } from './commands.ts';
import { retentionPolicy } from './policy.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';

/** Routes of retention. */
export function retentionRoutes(
  { read }: Pick<Services, 'read'>,
  commands: CommandCalls<RetentionCommands>,
): readonly Route[] {
  const projects = storeOn(read, relationalProjectStore);
  return [
    defineRoute({
      method: 'PATCH',
      path: '/v1/projects/{project_identifier}/retention',
      operationId: 'setProjectRetention',
      summary: 'Choose how long the traces of a project are kept',
      tag: 'projects',
      access: retentionPolicy.assign,
      params: PROJECT_PARAMS,
      body: z.object({
        policy_id: z
          .string()
          .meta({ pattern: idPattern('ProjectTraceRetentionPolicy') })
          .nullable()
          .describe('Id of a retention policy; null for the default one.'),
      }),
      replies: {
        200: {
          description: 'The policy was assigned.',
          contentType: 'application/json',
          schema: z.object({
            data: z.object({
              project_id: z.string(),
              policy_id: z
                .string()
                .meta({ pattern: idPattern('ProjectTraceRetentionPolicy') })
                .nullable(),
            }),
          }),
        },
        404: { description: 'There is no such project or policy.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, body }) => {
        const { rowId } = await getProject(caller, projects, params.project_identifier);
        const policyRowId = toPolicyRowId(body.policy_id);
        await commands.assign(caller, { rowId: policyRowId, projectRowIds: [rowId] });
        const isDefault = policyRowId === DEFAULT_POLICY_ROW_ID;
        return {
          body: {
            data: {
              project_id: formatGlobalId('Project', rowId),
              policy_id: isDefault ? null : formatGlobalId('ProjectTraceRetentionPolicy', policyRowId),
            },
          },
        };
      },
    }),
  ];
}

function toPolicyRowId(policyId: string | null): number {
  if (policyId === null) return DEFAULT_POLICY_ROW_ID;
  const rowId = parseGlobalId('ProjectTraceRetentionPolicy', policyId);
  if (rowId === undefined) throw new UnprocessableError(`Invalid policy id ${policyId}.`);
  return rowId;
}
