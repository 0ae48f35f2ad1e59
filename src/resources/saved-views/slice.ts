import { defineSlice } from '../slice.ts';
import { savedViewPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    SavedView: true;
  }
}

/** What people keep of a project's tables under a name. */
export const savedViewSlice = defineSlice({
  policy: savedViewPolicy,
  commands: async () => (await import('./commands.ts')).savedViewCommands,
  routes: async () => () => [],
  types: async () => (await import('./graphql.ts')).addSavedViewTypes,
});
