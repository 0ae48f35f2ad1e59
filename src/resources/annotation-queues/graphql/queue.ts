/** Review queues, how far they are, and who has reviewed. */
import type { Builder } from '#api/graphql/builder';
import { forwardPage, toConnection } from '#api/graphql/connection';
import type { GraphqlContext } from '#api/graphql/context';
import { formatPosition, parsePosition } from '#api/graphql/keyset';
import { loadOrThrow } from '#api/graphql/row-loader';
import { type AnnotationQueue, findReviewer, type QueueProgress, type QueueRule } from '#domain/annotation-queue';
import type { TypeServices } from '../../slice.ts';
import { annotationQueuePolicy } from '../policy.ts';
import { listItems, type QueueReviewer } from '../queries.ts';
import { HOLDER, type QueueLoad } from './item.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    AnnotationQueue: AnnotationQueue;
    AnnotationQueueProgress: QueueProgress;
    AnnotationQueueReviewer: QueueReviewer;
    AnnotationQueueRule: QueueRule;
  }
}

/** Adds them. */
export function addQueue(builder: Builder, read: TypeServices['readPrimary'], load: QueueLoad): void {
  addProgress(builder, load);
  addRule(builder, load);
  builder.objectType('AnnotationQueue', {
    description: 'Rows that people review one after the other, each held by one person at a time.',
    access: annotationQueuePolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Unique.' }),
      description: t.exposeString('description', { nullable: true }),
      instructions: t.exposeString('instructions', { nullable: true, description: 'Markdown.' }),
      rows: t.expose('target', { type: 'BulkRows', description: 'What its items are; never changes.' }),
      reviewsPerItem: t.exposeInt('reviewsPerItem', { description: 'How many people review each item.' }),
      isBlind: t.exposeBoolean('isBlind', {
        description:
          'Whether the review page hides what other people said under the names of the queue before one has reviewed an item.',
      }),
      holdMinutes: t.exposeInt('holdMinutes', { description: 'How long an item stays with the person who opened it.' }),
      annotationConfigs: t.field({
        type: ['AnnotationConfig'],
        cost: BATCH_COST,
        description: 'What is asked, in this order.',
        resolve: async ({ rowId }, _args, context) => [...((await load.configsOfQueue(context, rowId)) ?? [])],
      }),
      rules: t.field({
        type: ['AnnotationQueueRule'],
        cost: BATCH_COST,
        description: 'What adds items by itself, oldest first.',
        resolve: async ({ rowId }, _args, context) => [...((await load.rulesOfQueue(context, rowId)) ?? [])],
      }),
      createdBy: t.field({
        type: 'User',
        nullable: true,
        resolve: ({ createdByRowId }, _args, context) =>
          createdByRowId === null ? null : load.account(context, createdByRowId),
      }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAtUs', { type: 'DateTime' }),
      progress: t.field({
        type: 'AnnotationQueueProgress',
        cost: BATCH_COST,
        resolve: async ({ rowId }, _args, context) =>
          (await load.progress(context, rowId)) ?? { ...NO_ITEMS, queueRowId: rowId },
      }),
      reviewers: t.field({
        type: ['AnnotationQueueReviewer'],
        cost: BATCH_COST,
        description: 'Who has reviewed, most reviews first; a hundred at most.',
        resolve: async ({ rowId }, _args, context) => [...((await load.reviewersOfQueue(context, rowId)) ?? [])],
      }),
      items: t.field({
        type: 'AnnotationQueueItemConnection',
        description: 'In the order of the queue.',
        args: {
          first: t.arg.int({ defaultValue: 50 }),
          after: t.arg.string(),
          state: t.arg({ type: 'AnnotationQueueItemState' }),
        },
        resolve: async ({ rowId: queueRowId }, { state, ...args }, { caller }) => {
          const { limit, cursor } = forwardPage(args);
          const afterRowId = parsePosition(null, cursor)?.rowId ?? 0;
          const page = { queueRowId, state: state ?? undefined, afterRowId, limit: limit + 1 };
          const items = await listItems(read(caller), page, Date.now() * 1000);
          const edges = items.slice(0, limit).map((node) => ({
            node,
            cursor: formatPosition(null, { value: null, rowId: node.rowId }),
          }));
          return toConnection(edges, { after: cursor, hasNextPage: items.length > limit });
        },
      }),
    }),
  });
}

/** What is read for all queues of an answer at once. */
const BATCH_COST = 2;

const NO_ITEMS = { itemCount: 0, doneCount: 0, heldCount: 0 };

function addProgress(builder: Builder, load: QueueLoad): void {
  const { read: access } = annotationQueuePolicy;
  builder.objectType('AnnotationQueueProgress', {
    description: 'How far a review queue is.',
    access,
    fields: (t) => ({
      itemCount: t.exposeInt('itemCount'),
      doneCount: t.exposeInt('doneCount', { description: 'Items with as many complete reviews as the queue wants.' }),
      heldCount: t.exposeInt('heldCount', { description: 'Items that somebody holds now, and that are not done.' }),
      waitingForMeCount: t.int({
        cost: BATCH_COST,
        description: 'Items that are not done, and that the caller has neither completed nor skipped.',
        args: { holder: t.arg.string({ description: HOLDER }) },
        resolve: async ({ queueRowId, itemCount, doneCount }, { holder }, context) =>
          itemCount - doneCount - (await countOwnReviews(load, context, queueRowId, holder ?? null)),
      }),
    }),
  });
  builder.objectType('AnnotationQueueReviewer', {
    access,
    fields: (t) => ({
      user: t.field({
        type: 'User',
        nullable: true,
        description: 'Null for reviewers without an account, and once it is deleted.',
        resolve: ({ userRowId }, _args, context) => (userRowId === null ? null : load.account(context, userRowId)),
      }),
      completedCount: t.exposeInt('completedCount'),
      skippedCount: t.exposeInt('skippedCount'),
      lastReviewedAt: t.expose('lastAtUs', { type: 'DateTime' }),
    }),
  });
}

async function countOwnReviews(
  load: QueueLoad,
  context: GraphqlContext,
  rowId: number,
  holder: string | null,
): Promise<number> {
  const reviewer = findReviewer(context.caller, holder);
  return reviewer === null ? 0 : ((await load.reviewedOpenCount(context, { rowId, reviewer: reviewer.key })) ?? 0);
}

function addRule(builder: Builder, load: QueueLoad): void {
  builder.objectType('AnnotationQueueRule', {
    description: 'Adds a share of what arrives in a project to a review queue, once a minute.',
    access: annotationQueuePolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
      }),
      filterCondition: t.exposeString('filter', { nullable: true, description: 'Null where all rows match.' }),
      samplePercent: t.exposeFloat('samplePercent'),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      addedCount: t.exposeInt('addedCount', { description: 'Items that it has added.' }),
      error: t.exposeString('error', { nullable: true, description: 'Why it adds nothing.' }),
    }),
  });
}
