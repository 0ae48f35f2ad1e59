import type { SchemaKit } from '#api/graphql/schema';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { AnnotationCommands } from './commands.ts';
import { addDeletionByName } from './graphql/delete-by-name.ts';
import { addDeleteInput, addMutations } from './graphql/mutations.ts';
import { addNoteMutations } from './graphql/notes.ts';
import { addAnnotationsOfTargets } from './graphql/of-targets.ts';
import { addPayloads } from './graphql/payloads.ts';
import { addRetrievalMetrics } from './graphql/retrieval-metrics.ts';
import { addTypes } from './graphql/types.ts';
import { createAnnotationLoaders } from './loaders.ts';

/** Adds the types of annotations, the fields that lead to them, and their changes. */
export function addAnnotationTypes(
  kit: SchemaKit,
  { read, readPrimary, spans, load: loadRows }: Pick<TypeServices, 'read' | 'readPrimary' | 'spans' | 'load'>,
  commands: CommandCalls<AnnotationCommands>,
): void {
  const { builder } = kit;
  const load = { ...createAnnotationLoaders(read), ...loadRows };
  const parts = { readPrimary, spans, commands };
  addTypes(kit, load);
  addAnnotationsOfTargets(builder, load);
  addRetrievalMetrics(builder, load);
  addPayloads(builder);
  const remove = addDeleteInput(builder);
  addMutations(builder, parts, remove);
  addNoteMutations(builder, parts, remove);
  addDeletionByName(builder, commands);
}
