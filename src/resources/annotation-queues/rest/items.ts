/** Items of review queues over REST: what reviewers do. */
import { z } from 'zod';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { orUnprocessable, pageOrInvalidCursor } from '#api/rest/unprocessable';
import { parseGlobalId } from '#base/global-id';
import { ITEM_STATES, noSuchItem, QUEUE_OUTCOMES } from '#domain/annotation-queue';
import type { Caller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import { formatCursor, parseCursor } from '#store/queries/cursor';
import type { Services } from '../../slice.ts';
import type { AnnotationQueueCommands } from '../commands.ts';
import { getQueue, readItemDetails } from '../operations.ts';
import { annotationQueuePolicy } from '../policy.ts';
import { ANNOTATION_QUEUE_ITEM, presentItem } from '../present.ts';
import { findItems, listItems } from '../queries.ts';

const PATH = '/v1/annotation_queues/{queue_identifier}/items';
const TAG = 'annotation queues';

const QUEUE_PARAMS = z.object({ queue_identifier: z.string().describe('Id or name of a queue.') });
const ITEM_PARAMS = QUEUE_PARAMS.extend({ item_id: z.string().describe('Id of an item.') });
const HOLDER = {
  holder: z
    .string()
    .meta({ pattern: '^[A-Za-z0-9_-]{8,64}$' })
    .optional()
    .describe('Where authentication is off: a random key of 8 to 64 characters that tells reviewers apart.'),
};

const HELD = {
  contentType: 'application/json',
  schema: z.object({ data: ANNOTATION_QUEUE_ITEM.nullable().describe('Null where none is left.') }),
};
const MISSING = { description: 'There is no such review queue or item.', contentType: 'text/plain' };
const LOST = {
  description: 'Another reviewer holds the item, or nobody does; the text says so.',
  contentType: 'text/plain',
};

type Commands = CommandCalls<AnnotationQueueCommands>;
type Read = Services['readPrimary'];

/** The routes. */
export function itemRoutes(read: Read, commands: Commands): readonly Route[] {
  return [...listingRoutes(read, commands), ...reviewingRoutes(read, commands)];
}

function listingRoutes(read: Read, commands: Commands): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      operationId: 'listAnnotationQueueItems',
      summary: 'List the items of a review queue, in its order',
      tag: TAG,
      access: annotationQueuePolicy.read,
      params: QUEUE_PARAMS,
      query: z.object({
        ...pageFields(100, 1000, idPattern('AnnotationQueueItem')),
        state: z.enum(ITEM_STATES).optional(),
      }),
      replies: {
        200: {
          description: 'A page of items.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(ANNOTATION_QUEUE_ITEM), next_cursor: z.string().nullable() }),
        },
        404: MISSING,
      },
      handler: async ({ caller, params, query: { state, cursor, limit } }) => {
        const { rowId: queueRowId } = await getQueue(caller, read, params.queue_identifier);
        const from = await pageOrInvalidCursor((async () => parseCursor('AnnotationQueueItem', cursor ?? null))());
        const page = { queueRowId, state, afterRowId: (from?.rowId ?? 1) - 1, limit: limit + 1 };
        const items = await listItems(read(caller), page, Date.now() * 1000);
        const next = items[limit];
        return {
          body: {
            data: (await readItemDetails(read(caller), items.slice(0, limit))).map(presentItem),
            next_cursor:
              next === undefined ? null : formatCursor('AnnotationQueueItem', { value: null, rowId: next.rowId }),
          },
        };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/{item_id}`,
      operationId: 'removeAnnotationQueueItem',
      summary: 'Remove an item from a review queue, with its reviews',
      description: 'Its row and annotations stay.',
      tag: TAG,
      access: annotationQueuePolicy.removeItems,
      params: ITEM_PARAMS,
      replies: { 204: { description: 'It was removed.' }, 404: MISSING },
      handler: async ({ caller, params }) => {
        const { rowId: queueRowId } = await getQueue(caller, read, params.queue_identifier);
        await commands.removeItems(caller, { queueRowId, itemRowIds: [toItemRowId(params.item_id)] });
        return { status: 204, body: undefined };
      },
    }),
  ];
}

function reviewingRoutes(read: Read, commands: Commands): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${PATH}/hold`,
      operationId: 'holdAnnotationQueueItem',
      summary: 'Hold an item of a review queue, or else the next one',
      description:
        'While you hold an item, nobody else gets it. Without `item_id`, you get the item that you hold already or, where there is none, the next one. Holding an item again renews the hold.',
      tag: TAG,
      access: annotationQueuePolicy.hold,
      params: QUEUE_PARAMS,
      body: z.strictObject({ item_id: z.string().optional(), ...HOLDER }),
      replies: { 200: { ...HELD, description: 'What you hold now.' }, 404: MISSING, 409: LOST },
      handler: async ({ caller, params, body }) => {
        const { rowId: queueRowId } = await getQueue(caller, read, params.queue_identifier);
        const itemRowId = body.item_id === undefined ? null : toItemRowId(body.item_id);
        const held = await orUnprocessable(
          commands.hold(caller, { queueRowId, itemRowId, holder: body.holder ?? null }),
        );
        return { body: await presentOne(caller, read, held.itemRowId) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/{item_id}/review`,
      operationId: 'reviewAnnotationQueueItem',
      summary: 'Complete or skip an item that you hold, and hold the next one',
      description: 'What you say of the item are annotations, which have routes of their own.',
      tag: TAG,
      access: annotationQueuePolicy.review,
      params: ITEM_PARAMS,
      body: z.strictObject({ outcome: z.enum(QUEUE_OUTCOMES), ...HOLDER }),
      replies: { 200: { ...HELD, description: 'What you hold now.' }, 404: MISSING, 409: LOST },
      handler: async ({ caller, params, body }) => {
        const itemRowId = await findItemOf(caller, read, params);
        const { outcome, holder = null } = body;
        const held = await orUnprocessable(commands.review(caller, { itemRowId, outcome, holder }));
        return { body: await presentOne(caller, read, held.itemRowId) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/{item_id}/release`,
      operationId: 'releaseAnnotationQueueItem',
      summary: 'End your hold of an item of a review queue',
      tag: TAG,
      access: annotationQueuePolicy.release,
      params: ITEM_PARAMS,
      body: z.strictObject(HOLDER),
      replies: { 200: { ...HELD, description: 'The item.' }, 404: MISSING },
      handler: async ({ caller, params, body }) => {
        const itemRowId = await findItemOf(caller, read, params);
        await orUnprocessable(commands.release(caller, { itemRowId, holder: body.holder ?? null }));
        return { body: await presentOne(caller, read, itemRowId) };
      },
    }),
  ];
}

async function presentOne(caller: Caller, read: Read, itemRowId: number | null) {
  const items = itemRowId === null ? [] : [...(await findItems(read(caller), [itemRowId])).values()];
  const [details] = await readItemDetails(read(caller), items);
  return { data: details === undefined ? null : presentItem(details) };
}

/** The row of an item of that queue. @throws AppError `not_found` */
async function findItemOf(caller: Caller, read: Read, params: z.output<typeof ITEM_PARAMS>): Promise<number> {
  const { rowId: queueRowId } = await getQueue(caller, read, params.queue_identifier);
  const rowId = toItemRowId(params.item_id);
  if ((await findItems(read(caller), [rowId])).get(rowId)?.queueRowId !== queueRowId) throw noSuchItem();
  return rowId;
}

function toItemRowId(id: string): number {
  const rowId = parseGlobalId('AnnotationQueueItem', id);
  if (rowId === undefined) throw noSuchItem();
  return rowId;
}
