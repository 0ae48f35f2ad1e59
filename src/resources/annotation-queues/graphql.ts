/** Review queues over GraphQL. */
import { addConnectionTypes } from '#api/graphql/connection-types';
import { offsetWindow, toOffsetConnection } from '#api/graphql/connection';
import type { SchemaKit } from '#api/graphql/schema';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { AnnotationQueueCommands } from './commands.ts';
import { addItem } from './graphql/item.ts';
import { addHolding } from './graphql/holding.ts';
import { addQueueChanges } from './graphql/mutations.ts';
import { addQueue } from './graphql/queue.ts';
import { createQueueLoaders } from './loaders.ts';
import { annotationQueuePolicy } from './policy.ts';
import { browseQueues, countQueues } from './queries.ts';

/** Adds queues, their items, and what can be done to them. They are read where changes are seen at once. */
export function addAnnotationQueueTypes(
  { builder, nodes }: SchemaKit,
  { readPrimary: read, load: loadRows }: Pick<TypeServices, 'readPrimary' | 'load'>,
  commands: CommandCalls<AnnotationQueueCommands>,
): void {
  const load = { ...loadRows, ...createQueueLoaders(read) };
  nodes.add('AnnotationQueue', load.queue);
  nodes.add('AnnotationQueueItem', load.item);
  nodes.add('AnnotationQueueRule', load.rule);
  addConnectionTypes(builder, 'AnnotationQueue', annotationQueuePolicy.list);
  addConnectionTypes(builder, 'AnnotationQueueItem', annotationQueuePolicy.read);
  addItem(builder, load);
  addQueue(builder, read, load);
  builder.queryField('annotationQueues', (t) =>
    t.field({
      type: 'AnnotationQueueConnection',
      access: annotationQueuePolicy.list,
      description: 'All review queues, by name.',
      args: { first: t.arg.int({ defaultValue: 50 }), after: t.arg.string() },
      resolve: async (_root, args, { caller }) => {
        const total = await countQueues(read(caller));
        const window = offsetWindow(args, total);
        return toOffsetConnection(await browseQueues(read(caller), window), window, total);
      },
    }),
  );
  addQueueChanges(builder, { read, commands });
  addHolding(builder, { commands, load });
}
