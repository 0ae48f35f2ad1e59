/** Queues and their rules over REST. */
import { z } from 'zod';
import { LINES, PLAIN_LINE } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { orUnprocessable, UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import { CONFIG_TYPES } from '#domain/annotation-config';
import {
  type AnnotationQueue,
  DEFAULT_HOLD_MINUTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_HOLD_MINUTES,
  MAX_INSTRUCTIONS_LENGTH,
  MAX_NAME_LENGTH,
  MAX_QUEUE_CONFIGS,
  MAX_REVIEWS,
  MAX_RULE_FILTER_LENGTH,
} from '#domain/annotation-queue';
import type { Caller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { formatCursor, parseCursor } from '#store/queries/cursor';
import { toConfigRowId } from '../../annotation-configs/operations.ts';
import { getProject } from '../../projects/operations.ts';
import { type Services, storeOn } from '../../slice.ts';
import type { AnnotationQueueCommands } from '../commands.ts';
import { addRule, deleteQueue, getQueue, readQueueDetails } from '../operations.ts';
import { annotationQueuePolicy } from '../policy.ts';
import { ANNOTATION_QUEUE, presentQueue, type ROW_NAMES } from '../present.ts';
import { listQueues } from '../queries.ts';

const PATH = '/v1/annotation_queues';
const TAG = 'annotation queues';

const NAME = z.string().meta({ pattern: PLAIN_LINE, maxLength: MAX_NAME_LENGTH });
const CONTENT = {
  description: z.string().meta({ pattern: LINES, maxLength: MAX_DESCRIPTION_LENGTH }).nullish(),
  instructions: z.string().meta({ pattern: LINES, maxLength: MAX_INSTRUCTIONS_LENGTH }).nullish().describe('Markdown.'),
  reviews_per_item: z
    .number()
    .int()
    .meta({ minimum: 1, maximum: MAX_REVIEWS })
    .optional()
    .describe('How many people review each item: 1 to 5, 1 if absent.'),
  is_blind: z
    .boolean()
    .optional()
    .describe(
      'Whether the review page hides what other people said under the names of the queue before one has reviewed an item; false if absent.',
    ),
  hold_minutes: z
    .number()
    .int()
    .meta({ minimum: 1, maximum: MAX_HOLD_MINUTES })
    .optional()
    .describe(`How long an item stays with the person who opened it: 1 to 240, ${DEFAULT_HOLD_MINUTES} if absent.`),
};
const CONFIG_IDS = z
  .array(z.string().meta({ pattern: idPattern(Object.values(CONFIG_TYPES)) }))
  .max(MAX_QUEUE_CONFIGS)
  .meta({ uniqueItems: true })
  .optional()
  .describe('Ids of annotation configs: what is asked, in this order.');

const NEW_QUEUE = z.strictObject({
  name: NAME.describe('Unique.'),
  rows: z.enum(['spans', 'traces', 'sessions']).describe('What its items are; never changes.'),
  ...CONTENT,
  annotation_config_ids: CONFIG_IDS,
});
const CHANGE = z
  .strictObject({ name: NAME.optional(), ...CONTENT, annotation_config_ids: CONFIG_IDS })
  .describe('What is absent stays as it is.');
const RULE = z.strictObject({
  project_identifier: z.string().describe('Id or name of a project.'),
  filter: z
    .string()
    .meta({ pattern: LINES, maxLength: MAX_RULE_FILTER_LENGTH })
    .nullish()
    .describe('In the filter language for rows of the queue; all match without it.'),
  sample_percent: z
    .number()
    .meta({ exclusiveMinimum: 0, maximum: 100 })
    .describe('The share of what matches: above 0, 100 at most.'),
});

const QUEUE_PARAMS = z.object({ queue_identifier: z.string().describe('Id or name of a queue.') });
const ONE = { contentType: 'application/json', schema: z.object({ data: ANNOTATION_QUEUE }) };
const MISSING = { description: 'There is no such review queue.', contentType: 'text/plain' };
const TAKEN = { description: 'Another queue has the name, or there are too many.', contentType: 'text/plain' };

type Commands = CommandCalls<AnnotationQueueCommands>;

/** The routes. */
export function queueRoutes(read: Services['readPrimary'], commands: Commands): readonly Route[] {
  return [...readingRoutes(read), ...changingRoutes(read, commands), ...ruleRoutes(read, commands)];
}

async function presentOne(caller: Caller, read: Services['readPrimary'], queue: AnnotationQueue) {
  const [details] = await readQueueDetails(read(caller), [queue]);
  if (details === undefined) throw new AppError('internal', 'The queue was not read.');
  return { data: presentQueue(details) };
}

function readingRoutes(read: Services['readPrimary']): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      operationId: 'listAnnotationQueues',
      summary: 'List review queues, newest first',
      tag: TAG,
      access: annotationQueuePolicy.list,
      query: z.object(pageFields(100, 1000, idPattern('AnnotationQueue'))),
      replies: {
        200: {
          description: 'A page of queues.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(ANNOTATION_QUEUE), next_cursor: z.string().nullable() }),
        },
        400: { description: 'The cursor is not one of this list.', contentType: 'text/plain' },
      },
      handler: async ({ caller, query: { cursor, limit } }) => {
        const fromRowId = parseCursor('AnnotationQueue', cursor ?? null)?.rowId ?? null;
        const queues = await listQueues(read(caller), { fromRowId, limit: limit + 1 });
        const next = queues[limit];
        return {
          body: {
            data: (await readQueueDetails(read(caller), queues.slice(0, limit))).map(presentQueue),
            next_cursor:
              next === undefined ? null : formatCursor('AnnotationQueue', { value: null, rowId: next.rowId }),
          },
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/{queue_identifier}`,
      operationId: 'getAnnotationQueue',
      summary: 'Get a review queue by its id or name',
      tag: TAG,
      access: annotationQueuePolicy.read,
      params: QUEUE_PARAMS,
      replies: { 200: { ...ONE, description: 'The queue.' }, 404: MISSING },
      handler: async ({ caller, params }) => ({
        body: await presentOne(caller, read, await getQueue(caller, read, params.queue_identifier)),
      }),
    }),
  ];
}

function changingRoutes(read: Services['readPrimary'], commands: Commands): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: PATH,
      operationId: 'createAnnotationQueue',
      summary: 'Create a review queue',
      tag: TAG,
      access: annotationQueuePolicy.create,
      body: NEW_QUEUE,
      replies: { 201: { ...ONE, description: 'The queue was created.' }, 404: NO_CONFIG, 409: TAKEN },
      handler: async ({ caller, body }) => {
        const created = commands.create(caller, {
          name: body.name,
          description: body.description ?? null,
          instructions: body.instructions ?? null,
          target: TARGETS[body.rows],
          reviewsPerItem: body.reviews_per_item ?? 1,
          isBlind: body.is_blind ?? false,
          holdMinutes: body.hold_minutes ?? DEFAULT_HOLD_MINUTES,
          configRowIds: distinct(body.annotation_config_ids ?? []),
        });
        return { status: 201, body: await presentOne(caller, read, await orUnprocessable(created)) };
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${PATH}/{queue_identifier}`,
      operationId: 'patchAnnotationQueue',
      summary: 'Change a review queue',
      tag: TAG,
      access: annotationQueuePolicy.patch,
      params: QUEUE_PARAMS,
      body: CHANGE,
      replies: { 200: { ...ONE, description: 'The queue as it is now.' }, 404: NO_CONFIG, 409: TAKEN },
      handler: async ({ caller, params, body }) => {
        const { rowId } = await getQueue(caller, read, params.queue_identifier);
        const configRowIds = body.annotation_config_ids && distinct(body.annotation_config_ids);
        const patched = commands.patch(caller, { rowId, content: toContent(body), configRowIds });
        return { body: await presentOne(caller, read, await orUnprocessable(patched)) };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/{queue_identifier}`,
      operationId: 'deleteAnnotationQueue',
      summary: 'Delete a review queue with its items and reviews',
      description: 'Annotations stay.',
      tag: TAG,
      access: annotationQueuePolicy.delete,
      params: QUEUE_PARAMS,
      replies: { 204: { description: 'It was deleted.' }, 404: MISSING },
      handler: async ({ caller, params }) => {
        const { rowId } = await getQueue(caller, read, params.queue_identifier);
        await deleteQueue(caller, commands, rowId);
        return { status: 204, body: undefined };
      },
    }),
  ];
}

const NO_CONFIG = { description: 'There is no such queue or annotation config.', contentType: 'text/plain' };

function ruleRoutes(read: Services['readPrimary'], commands: Commands): readonly Route[] {
  const projects = storeOn(read, relationalProjectStore);
  return [
    defineRoute({
      method: 'POST',
      path: `${PATH}/{queue_identifier}/rules`,
      operationId: 'addAnnotationQueueRule',
      summary: 'Have a review queue take a share of what arrives in a project from now on',
      tag: TAG,
      access: annotationQueuePolicy.addRule,
      params: QUEUE_PARAMS,
      body: RULE,
      replies: {
        201: { ...ONE, description: 'The queue with the rule.' },
        404: { description: 'There is no such queue or project.', contentType: 'text/plain' },
        409: { description: 'The queue has too many rules.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, body }) => {
        const { rowId: queueRowId } = await getQueue(caller, read, params.queue_identifier);
        const { rowId: projectRowId } = await getProject(caller, projects, body.project_identifier);
        const rule = { queueRowId, projectRowId, filter: body.filter ?? null, samplePercent: body.sample_percent };
        const queue = await orUnprocessable(addRule(caller, { read, commands }, rule));
        return { status: 201, body: await presentOne(caller, read, queue) };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/{queue_identifier}/rules/{rule_id}`,
      operationId: 'deleteAnnotationQueueRule',
      summary: 'Delete a rule of a review queue',
      description: 'What the rule has added stays.',
      tag: TAG,
      access: annotationQueuePolicy.deleteRule,
      params: QUEUE_PARAMS.extend({ rule_id: z.string().describe('Id of a rule.') }),
      replies: {
        204: { description: 'It was deleted.' },
        404: { description: 'There is no such queue or rule.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params }) => {
        const { rowId: queueRowId } = await getQueue(caller, read, params.queue_identifier);
        const rowId = parseGlobalId('AnnotationQueueRule', params.rule_id);
        if (rowId === undefined) throw new AppError('not_found', 'There is no such rule of a review queue.');
        await commands.deleteRule(caller, { rowId, queueRowId });
        return { status: 204, body: undefined };
      },
    }),
  ];
}

const TARGETS = { spans: 'span', traces: 'trace', sessions: 'session' } as const satisfies Record<
  (typeof ROW_NAMES)[AnnotationQueue['target']],
  AnnotationQueue['target']
>;

function toContent({ description, instructions, ...body }: z.output<typeof CHANGE>) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(description !== undefined && { description }),
    ...(instructions !== undefined && { instructions }),
    ...(body.reviews_per_item !== undefined && { reviewsPerItem: body.reviews_per_item }),
    ...(body.is_blind !== undefined && { isBlind: body.is_blind }),
    ...(body.hold_minutes !== undefined && { holdMinutes: body.hold_minutes }),
  };
}

/** A config is found by the ids of all its earlier types, too. */
function distinct(ids: readonly string[]): readonly number[] {
  return [...new Set(ids.map(toConfig))];
}

function toConfig(id: string): number {
  return toConfigRowId(id, (message) => new UnprocessableError(message));
}
