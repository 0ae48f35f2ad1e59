import { defineCommands } from '#store/commands/command';
import { defineSlice } from '../slice.ts';
import { storagePolicy } from './policy.ts';

/** How much space the data takes. */
export const storageSlice = defineSlice({
  policy: storagePolicy,
  commands: async () => defineCommands(storagePolicy, {}),
  routes: async () => () => [],
  types: async () => (await import('./graphql.ts')).addStorageTypes,
});
