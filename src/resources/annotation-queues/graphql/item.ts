/** Items of review queues, and what became of them. */
import type { Builder, ObjectRows } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { loadOrThrow } from '#api/graphql/row-loader';
import {
  accountOfReviewer,
  findReviewer,
  holderOfItem,
  type ItemState,
  type QueueItem,
  type QueueOutcome,
  type QueueReview,
  type QueueTarget,
  stateOfItem,
} from '#domain/annotation-queue';
import type { TypeServices } from '../../slice.ts';
import type { AnnotationQueueLoaders } from '../loaders.ts';
import { annotationQueuePolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    AnnotationQueueItem: QueueItem;
    AnnotationQueueReview: QueueReview;
  }
  interface EnumValues {
    AnnotationQueueItemState: ItemState;
    AnnotationQueueOutcome: QueueOutcome;
  }
}

/** What queues lead to. */
export type QueueLoad = TypeServices['load'] & AnnotationQueueLoaders;

/** Where authentication is off, the key that a browser chose for itself. */
export const HOLDER = 'Where authentication is off: the key that the browser chose for itself.';

/** Adds them. */
export function addItem(builder: Builder, load: QueueLoad): void {
  const { read: access } = annotationQueuePolicy;
  builder.enumType('AnnotationQueueItemState', {
    values: { WAITING: { value: 'waiting' }, HELD: { value: 'held' }, DONE: { value: 'done' } } as const,
  });
  builder.enumType('AnnotationQueueOutcome', {
    values: { COMPLETED: { value: 'completed' }, SKIPPED: { value: 'skipped' } } as const,
  });
  builder.objectType('AnnotationQueueReview', {
    description: 'That somebody has reviewed an item; what they said of it are annotations.',
    access,
    fields: (t) => ({
      user: t.field({
        type: 'User',
        nullable: true,
        description: 'Null for reviewers without an account, and once it is deleted.',
        resolve: ({ userRowId }, _args, context) => (userRowId === null ? null : load.account(context, userRowId)),
      }),
      outcome: t.expose('outcome', { type: 'AnnotationQueueOutcome' }),
      reviewedAt: t.expose('atUs', { type: 'DateTime' }),
    }),
  });
  const target = builder.unionType('AnnotationQueueTarget', {
    description: 'A row that is reviewed.',
    types: ['Span', 'Trace', 'ProjectSession'],
    resolveType: typeOfTarget,
  });
  builder.objectType('AnnotationQueueItem', {
    description: 'A row in a review queue.',
    access,
    interfaces: ['Node'],
    fields: (t) => ({
      queue: t.field({
        type: 'AnnotationQueue',
        resolve: ({ queueRowId }, _args, context) => loadOrThrow(load.queue, context, queueRowId),
      }),
      target: t.field({
        type: target,
        nullable: true,
        description: 'Null where it was deleted and is about to be erased.',
        resolve: (item, _args, context) => loadTarget(load, context, item),
      }),
      addedAt: t.expose('addedAtUs', { type: 'DateTime' }),
      addedBy: t.field({
        type: 'User',
        nullable: true,
        description: 'Null where a rule or a program added it, and once the account is deleted.',
        resolve: ({ addedByRowId }, _args, context) =>
          addedByRowId === null ? null : load.account(context, addedByRowId),
      }),
      state: t.field({ type: 'AnnotationQueueItemState', resolve: (item) => stateOfItem(item, Date.now() * 1000) }),
      completedCount: t.exposeInt('completedCount', { description: 'Reviews that are complete.' }),
      heldBy: t.field({
        type: 'User',
        nullable: true,
        description: 'The account that holds it now; null where a browser without an account does, too.',
        resolve: (item, _args, context) => {
          const holder = holderOfItem(item, Date.now() * 1000);
          const userRowId = holder === null ? null : accountOfReviewer(holder);
          return userRowId === null ? null : load.account(context, userRowId);
        },
      }),
      heldUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'Null where nobody holds it.',
        resolve: (item) => (holderOfItem(item, Date.now() * 1000) === null ? null : item.heldUntilUs),
      }),
      isHeldByMe: t.boolean({
        args: { holder: t.arg.string({ description: HOLDER }) },
        resolve: (item, { holder = null }, { caller }) => {
          const key = holderOfItem(item, Date.now() * 1000);
          return key !== null && key === findReviewer(caller, holder)?.key;
        },
      }),
      myOutcome: t.field({
        type: 'AnnotationQueueOutcome',
        nullable: true,
        cost: REVIEWS_COST,
        description: 'Null where the caller has not reviewed it.',
        args: { holder: t.arg.string({ description: HOLDER }) },
        resolve: async ({ rowId }, { holder = null }, context) => {
          const key = findReviewer(context.caller, holder)?.key;
          const reviews = (await load.reviewsOfItem(context, rowId)) ?? [];
          return reviews.find(({ reviewer }) => reviewer === key)?.outcome;
        },
      }),
      reviews: t.field({
        type: ['AnnotationQueueReview'],
        cost: REVIEWS_COST,
        description: 'Oldest first.',
        resolve: async ({ rowId }, _args, context) => [...((await load.reviewsOfItem(context, rowId)) ?? [])],
      }),
    }),
  });
}

/** Those of all items of an answer are read at once. */
const REVIEWS_COST = 2;

type TargetRow = ObjectRows['Span'] | ObjectRows['Trace'] | ObjectRows['ProjectSession'];

/** Rows of spans name their span, and rows of traces the sum of their spans. */
function typeOfTarget(row: TargetRow): 'Span' | 'Trace' | 'ProjectSession' {
  if ('spanId' in row) return 'Span';
  return 'spanCount' in row ? 'Trace' : 'ProjectSession';
}

const LOAD = { span: 'span', trace: 'trace', session: 'session' } as const satisfies Record<
  QueueTarget,
  keyof QueueLoad
>;

function loadTarget(
  load: QueueLoad,
  context: GraphqlContext,
  { target, targetRowId }: QueueItem,
): Promise<TargetRow | undefined> {
  return load[LOAD[target]](context, targetRowId);
}
