/** Changes of review queues and of their rules over GraphQL. */
import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import { DEFAULT_HOLD_MINUTES } from '#domain/annotation-queue';
import type { CommandCalls } from '#store/commands/command';
import { toConfigRowId } from '../../annotation-configs/operations.ts';
import type { TypeServices } from '../../slice.ts';
import type { AnnotationQueueCommands } from '../commands.ts';
import { addRule, deleteQueue } from '../operations.ts';
import { annotationQueuePolicy } from '../policy.ts';

interface Parts {
  readonly read: TypeServices['readPrimary'];
  readonly commands: CommandCalls<AnnotationQueueCommands>;
}

const CONFIGS = 'What is asked, in this order; at most 50.';
const HOLD = `How long an item stays with the person who opened it: 1 to 240 minutes, ${DEFAULT_HOLD_MINUTES} unless told.`;
const REVIEWS = 'How many people review each item: 1 to 5, 1 unless told.';

/** Adds what creates, changes and deletes queues. */
export function addQueueChanges(builder: Builder, parts: Parts): void {
  const { commands } = parts;
  const create = builder.inputType('CreateAnnotationQueueInput', {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      instructions: t.string({ description: 'Markdown.' }),
      rows: t.field({ type: 'BulkRows', required: true, description: 'What its items are.' }),
      reviewsPerItem: t.int({ description: REVIEWS }),
      isBlind: t.boolean(),
      holdMinutes: t.int({ description: HOLD }),
      annotationConfigIds: t.idList({ required: true, description: CONFIGS }),
    }),
  });
  const patch = builder.inputType('PatchAnnotationQueueInput', {
    description: 'What is left out stays. Null clears the description and the instructions.',
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      description: t.string(),
      instructions: t.string(),
      reviewsPerItem: t.int(),
      isBlind: t.boolean(),
      holdMinutes: t.int(),
      annotationConfigIds: t.idList({ description: CONFIGS }),
    }),
  });
  builder.mutationFields((t) => ({
    createAnnotationQueue: t.field({
      type: 'AnnotationQueue',
      access: annotationQueuePolicy.create,
      args: { input: t.arg({ type: create, required: true }) },
      resolve: (_root, { input }, { caller }) =>
        commands.create(caller, {
          name: input.name,
          description: input.description ?? null,
          instructions: input.instructions ?? null,
          target: input.rows,
          reviewsPerItem: input.reviewsPerItem ?? 1,
          isBlind: input.isBlind ?? false,
          holdMinutes: input.holdMinutes ?? DEFAULT_HOLD_MINUTES,
          configRowIds: input.annotationConfigIds.map(toConfig),
        }),
    }),
    patchAnnotationQueue: t.field({
      type: 'AnnotationQueue',
      access: annotationQueuePolicy.patch,
      args: { input: t.arg({ type: patch, required: true }) },
      resolve: (_root, { input: { id, annotationConfigIds, description, instructions, ...given } }, { caller }) =>
        commands.patch(caller, {
          rowId: toRowId('AnnotationQueue', id),
          content: {
            ...(description !== undefined && { description }),
            ...(instructions !== undefined && { instructions }),
            ...(given.name != null && { name: given.name }),
            ...(given.reviewsPerItem != null && { reviewsPerItem: given.reviewsPerItem }),
            ...(given.isBlind != null && { isBlind: given.isBlind }),
            ...(given.holdMinutes != null && { holdMinutes: given.holdMinutes }),
          },
          configRowIds: annotationConfigIds?.map(toConfig),
        }),
    }),
    deleteAnnotationQueue: t.id({
      access: annotationQueuePolicy.delete,
      description: 'Deletes a queue with its items and reviews. Annotations stay.',
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { caller }) => {
        const { rowId } = await deleteQueue(caller, commands, toRowId('AnnotationQueue', id));
        return formatGlobalId('AnnotationQueue', rowId);
      },
    }),
    removeAnnotationQueueItems: t.field({
      type: 'AnnotationQueue',
      access: annotationQueuePolicy.removeItems,
      description: 'Removes items with their reviews, all or none; 1,000 at most. Annotations stay.',
      args: { queueId: t.arg.id({ required: true }), itemIds: t.arg.idList({ required: true }) },
      resolve: (_root, { queueId, itemIds }, { caller }) =>
        commands.removeItems(caller, {
          queueRowId: toRowId('AnnotationQueue', queueId),
          itemRowIds: itemIds.map((id) => toRowId('AnnotationQueueItem', id)),
        }),
    }),
  }));
  addRuleChanges(builder, parts);
}

function addRuleChanges(builder: Builder, parts: Parts): void {
  const add = builder.inputType('AddAnnotationQueueRuleInput', {
    fields: (t) => ({
      queueId: t.id({ required: true }),
      projectId: t.id({ required: true }),
      filterCondition: t.string({ description: 'In the filter language for rows of the queue; all match without it.' }),
      samplePercent: t.float({ required: true, description: 'Above 0, 100 at most.' }),
    }),
  });
  builder.mutationFields((t) => ({
    addAnnotationQueueRule: t.field({
      type: 'AnnotationQueue',
      access: annotationQueuePolicy.addRule,
      description: 'Has a queue take a share of what arrives in a project from now on; at most 20 rules a queue.',
      args: { input: t.arg({ type: add, required: true }) },
      resolve: (_root, { input }, { caller }) =>
        addRule(caller, parts, {
          queueRowId: toRowId('AnnotationQueue', input.queueId),
          projectRowId: toRowId('Project', input.projectId),
          filter: input.filterCondition ?? null,
          samplePercent: input.samplePercent,
        }),
    }),
    deleteAnnotationQueueRule: t.field({
      type: 'AnnotationQueue',
      access: annotationQueuePolicy.deleteRule,
      description: 'What the rule has added stays.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, { caller }) =>
        parts.commands.deleteRule(caller, { rowId: toRowId('AnnotationQueueRule', id) }),
    }),
  }));
}

function toConfig(id: string): number {
  return toConfigRowId(id, (message) => new AppError('invalid_argument', message));
}
