/** Routes that read annotations. */
import { z } from 'zod';
import { WITHOUT_NUL } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { pageOrInvalidCursor, UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { ANNOTATION_TYPES } from '#domain/annotation';
import type { ForCaller } from '#domain/caller';
import type { ProjectStore } from '#store/projects/port';
import { getProject } from '../../projects/operations.ts';
import type { ReadHandle } from '../../slice.ts';
import { toTargetKey } from '../operations.ts';
import { annotationPolicy } from '../policy.ts';
import { presentAnnotation, TARGET_FIELDS } from '../present.ts';
import { listAnnotations } from '../queries.ts';
import { ANNOTATION_FIELDS, LISTED_TARGETS } from './fields.ts';
import { PROJECT_PARAMS } from '../../projects/present.ts';

/** Values of one parameter. */
const MAX_VALUES = 1000;
const MAX_PAGE = 10_000;

const TEXT = z.string().meta({ pattern: WITHOUT_NUL });
const ID_LIST = z.array(TEXT).meta({ maxItems: MAX_VALUES }).optional();

/** Routes that read. */
export function listRoutes(read: ForCaller<ReadHandle>, projects: ForCaller<ProjectStore>): readonly Route[] {
  return LISTED_TARGETS.map((target) => {
    const field = TARGET_FIELDS[target];
    const ids = `${field}s` as const;
    const item = z
      .object({ [field]: z.string(), ...ANNOTATION_FIELDS })
      .meta({ id: `${target.charAt(0).toUpperCase()}${target.slice(1)}Annotation` });
    return defineRoute({
      method: 'GET',
      path: `/v1/projects/{project_identifier}/${target}_annotations`,
      operationId: `list${target.charAt(0).toUpperCase()}${target.slice(1)}Annotations`,
      summary: `List annotations and notes of ${target}s`,
      description: `Newest first. Name \`${ids}\`, \`identifier\`, or both. A page ends early where texts are large.`,
      tag: 'annotations',
      access: annotationPolicy.list,
      params: PROJECT_PARAMS,
      query: z.object({
        [ids]: ID_LIST.describe(`Only annotations of these ${target}s.`),
        identifier: z
          .array(TEXT.min(1))
          .meta({ maxItems: MAX_VALUES })
          .optional()
          .describe('Only annotations that have one of these.'),
        include_annotation_names: z.array(TEXT).optional().describe('Only annotations of these names.'),
        exclude_annotation_names: z.array(TEXT).optional().describe('No annotations of these names.'),
        ...pageFields(10, MAX_PAGE, idPattern(ANNOTATION_TYPES[target])),
      }),
      replies: {
        200: {
          description: 'A page of annotations.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(item), next_cursor: z.string().nullable() }),
        },
        404: {
          description: 'There is no such project, or nothing that was named is in it.',
          contentType: 'text/plain',
        },
      },
      handler: async ({ caller, params, query }) => {
        // Its name depends on the target, which the type of the query does not tell.
        const given = ID_LIST.parse(new Map<string, unknown>(Object.entries(query)).get(ids));
        const targetKeys = distinct(ids, given)?.map((id) => toTargetKey(target, id));
        assertText('include_annotation_names', query.include_annotation_names);
        assertText('exclude_annotation_names', query.exclude_annotation_names);
        const identifiers = distinct('identifier', query.identifier);
        if (targetKeys === undefined && identifiers === undefined) {
          throw new UnprocessableError(`Name at least one of ${ids} and identifier.`);
        }
        const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
        const { include_annotation_names: includedNames, exclude_annotation_names: excludedNames } = query;
        const page = await pageOrInvalidCursor(
          listAnnotations(
            read(caller),
            { projectRowId, target, targetKeys, identifiers, includedNames, excludedNames },
            { limit: query.limit, cursor: query.cursor ?? null },
          ),
        );
        if (!page.hasTargets && identifiers === undefined) {
          throw new AppError('not_found', `None of these ${target}s is in this project.`);
        }
        return { body: { data: page.data.map(presentAnnotation), next_cursor: page.nextCursor } };
      },
    });
  });
}

function distinct(name: string, values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined) return undefined;
  assertText(name, values);
  const found = [...new Set(values)];
  if (found.length <= MAX_VALUES) return found;
  throw new UnprocessableError(`${name} takes at most ${MAX_VALUES} values; these are ${found.length}.`);
}

function assertText(name: string, values: readonly string[] | undefined): void {
  if (values?.some((value) => value.includes('\0')) !== true) return;
  throw new UnprocessableError(`${name} contains a NUL character.`);
}
