/** Routes that delete annotations. */
import { z } from 'zod';
import { WITHOUT_NUL } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { queryBoolean, queryTime } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { UnprocessableError } from '#api/rest/unprocessable';
import { parseGlobalId } from '#base/global-id';
import { ANNOTATION_TARGETS, ANNOTATION_TYPES, ANNOTATOR_KINDS, type AnnotationTarget } from '#domain/annotation';
import type { ForCaller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import type { ProjectStore } from '#store/projects/port';
import { getProject } from '../../projects/operations.ts';
import type { AnnotationCommands } from '../commands.ts';
import { deleteMatching } from '../operations.ts';
import { annotationPolicy } from '../policy.ts';
import { LISTED_TARGETS } from './fields.ts';
import { PROJECT_PARAMS } from '../../projects/present.ts';

const DELETED = { description: 'They are deleted, or there were none.' };

// PostgreSQL takes no other.
const TEXT = z
  .string()
  .min(1)
  .meta({ pattern: WITHOUT_NUL })
  .refine((text) => !text.includes('\0'), 'Contains a NUL character');

/** Routes that delete. */
export function removeRoutes(
  commands: CommandCalls<AnnotationCommands>,
  projects: ForCaller<ProjectStore>,
): readonly Route[] {
  return [
    ...LISTED_TARGETS.map((target) => matchingRoute(commands, projects, target)),
    ...ANNOTATION_TARGETS.map((target) => byIdRoute(commands, target)),
  ];
}

function matchingRoute(
  commands: CommandCalls<AnnotationCommands>,
  projects: ForCaller<ProjectStore>,
  target: (typeof LISTED_TARGETS)[number],
): Route {
  return defineRoute({
    method: 'DELETE',
    path: `/v1/projects/{project_identifier}/${target}_annotations`,
    operationId: `delete${capitalized(target)}Annotations`,
    summary: `Delete annotations and notes of ${target}s`,
    description:
      'Takes both times, or `delete_all=true`; everything else narrows that. Callers who are no administrators delete only what they wrote.',
    tag: 'annotations',
    access: annotationPolicy.deleteMatching,
    params: PROJECT_PARAMS,
    query: z.object({
      name: TEXT.optional(),
      identifier: TEXT.optional(),
      annotator_kind: z.enum(ANNOTATOR_KINDS).optional(),
      start_time: queryTime().optional().describe('Only those that were created at this time or later.'),
      end_time: queryTime().optional().describe('Only those that were created before this time.'),
      delete_all: queryBoolean().default(false).describe('Needed where the times are not both given.'),
    }),
    replies: { 204: DELETED, 404: { description: 'There is no such project.', contentType: 'text/plain' } },
    handler: async ({ caller, params, query }) => {
      const { start_time: startTimeUs, end_time: endTimeUs } = query;
      if (!query.delete_all && (startTimeUs === undefined || endTimeUs === undefined)) {
        throw new UnprocessableError('Give both start_time and end_time, or delete_all=true.');
      }
      if (startTimeUs !== undefined && endTimeUs !== undefined && startTimeUs >= endTimeUs) {
        throw new UnprocessableError('start_time must be before end_time.');
      }
      const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
      const { name, identifier, annotator_kind: annotatorKind } = query;
      await deleteMatching(
        caller,
        { commands },
        { target, projectRowId, name, identifier, annotatorKind, startTimeUs, endTimeUs },
      );
      return { status: 204, body: undefined };
    },
  });
}

function byIdRoute(commands: CommandCalls<AnnotationCommands>, target: AnnotationTarget): Route {
  return defineRoute({
    method: 'DELETE',
    path: `/v1/${target}_annotations/{annotation_id}`,
    operationId: `delete${capitalized(target)}Annotation`,
    summary:
      target === 'document' ? 'Delete an annotation of a document' : `Delete an annotation or a note of a ${target}`,
    tag: 'annotations',
    access: annotationPolicy.delete,
    params: z.object({
      annotation_id: z
        .string()
        .meta({ pattern: idPattern(ANNOTATION_TYPES[target]), description: 'Id of an annotation.' }),
    }),
    replies: {
      204: { description: 'It is deleted.' },
      404: { description: 'There is no such annotation.', contentType: 'text/plain' },
    },
    handler: async ({ caller, params }) => {
      const rowId = parseGlobalId(ANNOTATION_TYPES[target], params.annotation_id);
      if (rowId === undefined) throw new UnprocessableError(`This is not the id of a ${ANNOTATION_TYPES[target]}.`);
      await commands.delete(caller, { target, rowIds: [rowId] });
      return { status: 204, body: undefined };
    },
  });
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
