import type { Route } from '#api/rest/route';
import type { CommandCalls } from '#store/commands/command';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { type Services, storeOn } from '../slice.ts';
import type { AnnotationCommands } from './commands.ts';
import { listRoutes } from './rest/list.ts';
import { removeRoutes } from './rest/remove.ts';
import { storeRoutes } from './rest/store.ts';

/** Routes of annotations and notes. */
export function annotationRoutes(
  services: Pick<Services, 'read' | 'readPrimary' | 'spans'>,
  commands: CommandCalls<AnnotationCommands>,
): readonly Route[] {
  const projects = storeOn(services.read, relationalProjectStore);
  return [
    ...storeRoutes({ services, commands }),
    ...listRoutes(services.read, projects),
    ...removeRoutes(commands, projects),
  ];
}
