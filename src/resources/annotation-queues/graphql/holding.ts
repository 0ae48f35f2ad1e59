/** What reviewers do over GraphQL. */
import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { CommandCalls } from '#store/commands/command';
import type { AnnotationQueueCommands } from '../commands.ts';
import type { HeldItem } from '../commands/reviewing.ts';
import { annotationQueuePolicy } from '../policy.ts';
import { HOLDER, type QueueLoad } from './item.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    HoldAnnotationQueueItemPayload: HeldItem;
  }
}

/** Adds it. */
export function addHolding(
  builder: Builder,
  { commands, load }: { readonly commands: CommandCalls<AnnotationQueueCommands>; readonly load: QueueLoad },
): void {
  builder.objectType('HoldAnnotationQueueItemPayload', {
    access: annotationQueuePolicy.read,
    fields: (t) => ({
      queue: t.field({
        type: 'AnnotationQueue',
        resolve: ({ queueRowId }, _args, context) => loadOrThrow(load.queue, context, queueRowId),
      }),
      item: t.field({
        type: 'AnnotationQueueItem',
        nullable: true,
        description: 'What the caller holds now; null where none is left.',
        resolve: ({ itemRowId }, _args, context) => (itemRowId === null ? null : load.item(context, itemRowId)),
      }),
    }),
  });
  builder.mutationFields((t) => ({
    holdAnnotationQueueItem: t.field({
      type: 'HoldAnnotationQueueItemPayload',
      access: annotationQueuePolicy.hold,
      description: 'Holds this item, or else the next one for the caller.',
      args: {
        queueId: t.arg.id({ required: true }),
        itemId: t.arg.id(),
        holder: t.arg.string({ description: HOLDER }),
      },
      resolve: (_root, { queueId, itemId, holder }, { caller }) =>
        commands.hold(caller, {
          queueRowId: toRowId('AnnotationQueue', queueId),
          itemRowId: itemId == null ? null : toRowId('AnnotationQueueItem', itemId),
          holder: holder ?? null,
        }),
    }),
    releaseAnnotationQueueItem: t.field({
      type: 'AnnotationQueueItem',
      access: annotationQueuePolicy.release,
      description: 'Ends the hold of the caller.',
      args: { itemId: t.arg.id({ required: true }), holder: t.arg.string({ description: HOLDER }) },
      resolve: (_root, { itemId, holder }, { caller }) =>
        commands.release(caller, { itemRowId: toRowId('AnnotationQueueItem', itemId), holder: holder ?? null }),
    }),
    reviewAnnotationQueueItem: t.field({
      type: 'HoldAnnotationQueueItemPayload',
      access: annotationQueuePolicy.review,
      description: 'Completes or skips an item that the caller holds, and holds the next one.',
      args: {
        itemId: t.arg.id({ required: true }),
        outcome: t.arg({ type: 'AnnotationQueueOutcome', required: true }),
        holder: t.arg.string({ description: HOLDER }),
      },
      resolve: (_root, { itemId, outcome, holder }, { caller }) =>
        commands.review(caller, {
          itemRowId: toRowId('AnnotationQueueItem', itemId),
          outcome,
          holder: holder ?? null,
        }),
    }),
  }));
}
