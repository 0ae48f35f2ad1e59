/** Annotation configs over REST. */
import { z } from 'zod';
import { LINES, VISIBLE_LINE } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { orUnprocessable, UnprocessableError } from '#api/rest/unprocessable';
import {
  type AnnotationConfigContent,
  CONFIG_TYPES,
  MAX_CONFIGS,
  MAX_DESCRIPTION_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_NAME_LENGTH,
  MAX_VALUES,
  OPTIMIZATION_DIRECTIONS,
} from '#domain/annotation-config';
import type { CommandCalls } from '#store/commands/command';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { getProject } from '../projects/operations.ts';
import { type Services, storeOn } from '../slice.ts';
import type { AnnotationConfigCommands } from './commands.ts';
import { type ConfigListPage, getConfig, listConfigPage, parseConfigId, toConfigRowId } from './operations.ts';
import { annotationConfigPolicy } from './policy.ts';
import { formatConfigId, presentConfig } from './present.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';

/** Clients ask for all at once; there are fewer. */
const MAX_PAGE = 10_000;

const DIRECTION = z.enum(OPTIMIZATION_DIRECTIONS).describe('Which scores are the better ones.');
const NUMBER = z.number().nullish();
const STRICT = z
  .boolean()
  .optional()
  .describe('Whether annotations of the name with other labels or scores are refused; false if absent.');

const BASE = {
  name: z.string().meta({ pattern: VISIBLE_LINE, maxLength: MAX_NAME_LENGTH }),
  description: z.string().meta({ pattern: LINES, maxLength: MAX_DESCRIPTION_LENGTH }).nullish(),
  is_strict: STRICT,
};
const BOUNDS = { lower_bound: NUMBER, upper_bound: NUMBER };
const LABEL = z.string().meta({ pattern: VISIBLE_LINE, maxLength: MAX_LABEL_LENGTH });
const VALUE = z.object({ label: LABEL, score: NUMBER }).meta({ id: 'CategoricalAnnotationValue' });

const CATEGORICAL = z.object({
  type: z.literal('CATEGORICAL'),
  ...BASE,
  optimization_direction: DIRECTION,
  values: z
    .array(VALUE)
    .meta({ minItems: 1, maxItems: MAX_VALUES, uniqueItems: true })
    .describe('At least one; labels are different.'),
});
const CONTINUOUS = z.object({
  type: z.literal('CONTINUOUS'),
  ...BASE,
  optimization_direction: DIRECTION,
  ...BOUNDS,
});
const FREEFORM = z.object({
  type: z.literal('FREEFORM'),
  ...BASE,
  optimization_direction: DIRECTION.nullish(),
  threshold: NUMBER,
  ...BOUNDS,
});

const BODY = z.discriminatedUnion('type', [
  CATEGORICAL.meta({ id: 'CategoricalAnnotationConfigData' }),
  CONTINUOUS.meta({ id: 'ContinuousAnnotationConfigData' }),
  FREEFORM.meta({ id: 'FreeformAnnotationConfigData' }),
]);

const SHOWN_NUMBER = z.number().nullable();
const SHOWN_BASE = { id: z.string(), name: z.string(), description: z.string().nullable(), is_strict: z.boolean() };
const SHOWN_BOUNDS = { lower_bound: SHOWN_NUMBER, upper_bound: SHOWN_NUMBER };

const CONFIG = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('CATEGORICAL'),
      ...SHOWN_BASE,
      optimization_direction: DIRECTION,
      values: z.array(z.object({ label: z.string(), score: SHOWN_NUMBER })),
    })
    .meta({ id: 'CategoricalAnnotationConfig' }),
  z
    .object({ type: z.literal('CONTINUOUS'), ...SHOWN_BASE, optimization_direction: DIRECTION, ...SHOWN_BOUNDS })
    .meta({ id: 'ContinuousAnnotationConfig' }),
  z
    .object({
      type: z.literal('FREEFORM'),
      ...SHOWN_BASE,
      optimization_direction: DIRECTION.nullable(),
      threshold: SHOWN_NUMBER,
      ...SHOWN_BOUNDS,
    })
    .meta({ id: 'FreeformAnnotationConfig' }),
]);

const JSON_TYPE = 'application/json';
const ONE = { contentType: JSON_TYPE, schema: z.object({ data: CONFIG }) };
const LIST = {
  contentType: JSON_TYPE,
  schema: z.object({ data: z.array(CONFIG), next_cursor: z.string().nullable() }),
};
const INVALID = { description: 'The config is not valid; the text says why.', contentType: 'text/plain' };
const BAD_ID = { description: 'The id is one of something else.', contentType: 'text/plain' };
const BAD_CURSOR = { description: 'The cursor is not one of this list.', contentType: 'text/plain' };
const MISSING = { description: 'There is no such annotation config.', contentType: 'text/plain' };
const NO_PROJECT = { description: 'There is no such project.', contentType: 'text/plain' };
const NEITHER = { description: 'There is no such project or annotation config.', contentType: 'text/plain' };
const TAKEN = { description: 'Another config has the name, or it is reserved.', contentType: 'text/plain' };

const CONFIG_ID = idPattern(Object.values(CONFIG_TYPES));
const PAGE = z.object(pageFields(100, MAX_PAGE, CONFIG_ID));
const CONFIG_ID_PARAMS = z.object({
  config_identifier: z.string().meta({ pattern: CONFIG_ID, description: 'Id of a config.' }),
});
const CONFIG_PARAMS = z.object({ config_identifier: z.string().describe('Id or name of a config.') });

type Commands = CommandCalls<AnnotationConfigCommands>;
type Read = Services['read'];

/** Routes of configs, and of what projects offer of them. */
export function annotationConfigRoutes({ read }: Pick<Services, 'read'>, commands: Commands): readonly Route[] {
  return [...readingRoutes(read), ...changingRoutes(commands), ...projectRoutes(read, commands)];
}

function readingRoutes(read: Read): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/annotation_configs',
      operationId: 'listAnnotationConfigs',
      summary: 'List annotation configs, newest first',
      tag: 'annotation configs',
      access: annotationConfigPolicy.list,
      query: PAGE,
      replies: { 200: { ...LIST, description: 'A page of configs.' }, 400: BAD_CURSOR },
      handler: async ({ caller, query: { cursor, limit } }) => {
        const page = await listConfigPage(read(caller), { cursor, limit });
        return { body: presentPage(page) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/annotation_configs/{config_identifier}',
      operationId: 'getAnnotationConfig',
      summary: 'Get an annotation config by its id or name',
      tag: 'annotation configs',
      access: annotationConfigPolicy.read,
      params: CONFIG_PARAMS,
      replies: { 200: { ...ONE, description: 'The config.' }, 404: MISSING },
      handler: async ({ caller, params }) => ({
        body: { data: presentConfig(await getConfig(caller, read, params.config_identifier)) },
      }),
    }),
  ];
}

function changingRoutes(commands: Commands): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/annotation_configs',
      operationId: 'createAnnotationConfig',
      summary: 'Create an annotation config',
      tag: 'annotation configs',
      access: annotationConfigPolicy.create,
      body: BODY,
      replies: { 200: { ...ONE, description: 'The config was created.' }, 400: INVALID, 409: TAKEN },
      handler: async ({ caller, body }) => ({
        body: { data: presentConfig(await commands.create(caller, toContent(body))) },
      }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/annotation_configs/{config_identifier}',
      operationId: 'updateAnnotationConfig',
      summary: 'Replace an annotation config, by its id',
      description: 'The type may change; then the id changes as well. Annotations that are stored stay as they are.',
      tag: 'annotation configs',
      access: annotationConfigPolicy.update,
      params: CONFIG_ID_PARAMS,
      body: BODY,
      replies: { 200: { ...ONE, description: 'The config as it is now.' }, 400: INVALID, 404: MISSING, 409: TAKEN },
      handler: async ({ caller, params, body }) => {
        const rowId = toRowId(params.config_identifier);
        return { body: { data: presentConfig(await commands.update(caller, { rowId, content: toContent(body) })) } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/annotation_configs/{config_identifier}',
      operationId: 'deleteAnnotationConfig',
      summary: 'Delete an annotation config, by its id',
      description: 'Projects no longer offer it. Annotations of its name stay.',
      tag: 'annotation configs',
      access: annotationConfigPolicy.delete,
      params: CONFIG_ID_PARAMS,
      replies: { 200: { ...ONE, description: 'The config as it was.' }, 400: BAD_ID, 404: MISSING },
      handler: async ({ caller, params }) => {
        const deleted = await commands.delete(caller, [toRowId(params.config_identifier)]);
        return { body: { data: deleted.map(presentConfig)[0] } };
      },
    }),
  ];
}

function projectRoutes(read: Read, commands: Commands): readonly Route[] {
  const projects = storeOn(read, relationalProjectStore);
  const path = '/v1/projects/{project_identifier}/annotation_configs';
  const onePath = `${path}/{config_identifier}`;
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listProjectAnnotationConfigs',
      summary: 'List the annotation configs of a project, newest first',
      tag: 'annotation configs',
      access: annotationConfigPolicy.listOfProject,
      params: PROJECT_PARAMS,
      query: PAGE,
      replies: { 200: { ...LIST, description: 'A page of configs.' }, 400: BAD_CURSOR, 404: NO_PROJECT },
      handler: async ({ caller, params, query: { cursor, limit } }) => {
        const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
        const page = await listConfigPage(read(caller), { cursor, limit, projectRowId });
        return { body: presentPage(page) };
      },
    }),
    defineRoute({
      method: 'PUT',
      path,
      operationId: 'setProjectAnnotationConfigs',
      summary: 'Replace the set of annotation configs of a project',
      tag: 'annotation configs',
      access: annotationConfigPolicy.replaceOfProject,
      params: PROJECT_PARAMS,
      body: z.object({
        annotation_config_ids: z
          .array(z.string().meta({ pattern: CONFIG_ID }))
          .max(MAX_CONFIGS)
          .describe('Ids; none of them removes all.'),
      }),
      replies: { 200: { ...LIST, description: 'What the project has now.' }, 404: NO_PROJECT },
      handler: async ({ caller, params, body }) => {
        const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
        const configRowIds = body.annotation_config_ids.map(toListedRowId);
        const configs = await orUnprocessable(commands.replaceOfProject(caller, { projectRowId, configRowIds }));
        return { body: { data: configs.map(presentConfig), next_cursor: null } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: onePath,
      operationId: 'addProjectAnnotationConfig',
      summary: 'Add an annotation config to a project',
      description: 'A config that the project has already stays.',
      tag: 'annotation configs',
      access: annotationConfigPolicy.assign,
      params: PROJECT_PARAMS.extend(CONFIG_PARAMS.shape),
      replies: { 200: { ...ONE, description: 'The config.' }, 404: NEITHER },
      handler: async ({ caller, params }) => {
        const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
        const config = await getConfig(caller, read, params.config_identifier);
        const assignments = [{ projectRowId, configRowId: config.rowId }];
        await commands.assign(caller, { assignments, isRepeatable: true });
        return { body: { data: presentConfig(config) } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: onePath,
      operationId: 'removeProjectAnnotationConfig',
      summary: 'Remove an annotation config from a project',
      description: 'The config itself stays. It is no error if the project does not have it.',
      tag: 'annotation configs',
      access: annotationConfigPolicy.unassign,
      params: PROJECT_PARAMS.extend(CONFIG_PARAMS.shape),
      replies: {
        204: { description: 'The project no longer has the config.' },
        404: NEITHER,
      },
      handler: async ({ caller, params }) => {
        const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
        const { rowId: configRowId } = await getConfig(caller, read, params.config_identifier);
        await commands.unassign(caller, { assignments: [{ projectRowId, configRowId }], isRepeatable: true });
        return { status: 204, body: undefined };
      },
    }),
  ];
}

function presentPage({ data, next }: ConfigListPage) {
  return { data: data.map(presentConfig), next_cursor: next && formatConfigId(next) };
}

function toRowId(id: string): number {
  return toConfigRowId(id, (message) => new UnprocessableError(message));
}

/** One of many in a body: also the id of something else is a value that is not taken. */
function toListedRowId(id: string): number {
  const rowId = parseConfigId(id);
  if (rowId === undefined) throw new UnprocessableError(`${JSON.stringify(id)} is not the id of an annotation config.`);
  return rowId;
}

function toContent(body: z.output<typeof BODY>): AnnotationConfigContent {
  const { name, description = null, is_strict: isStrict = false } = body;
  const base = { name, description, isStrict };
  if (body.type === 'CATEGORICAL') {
    const values = body.values.map(({ label, score = null }) => ({ label, score }));
    return { ...base, kind: body.type, direction: body.optimization_direction, values };
  }
  const { lower_bound: lowerBound = null, upper_bound: upperBound = null } = body;
  const bounds = { lowerBound, upperBound };
  if (body.type === 'CONTINUOUS')
    return { ...base, kind: body.type, direction: body.optimization_direction, ...bounds };
  const { optimization_direction: direction = null, threshold = null } = body;
  return { ...base, kind: body.type, direction, threshold, ...bounds };
}
