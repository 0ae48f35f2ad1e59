/** Review queues over REST. */
import type { Route } from '#api/rest/route';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { AnnotationQueueCommands } from './commands.ts';
import { itemRoutes } from './rest/items.ts';
import { queueRoutes } from './rest/queues.ts';

/** The routes of queues, of their rules and of their items. They are read where changes are seen at once. */
export function annotationQueueRoutes(
  { readPrimary }: Pick<Services, 'readPrimary'>,
  commands: CommandCalls<AnnotationQueueCommands>,
): readonly Route[] {
  return [...queueRoutes(readPrimary, commands), ...itemRoutes(readPrimary, commands)];
}
