import { defineSlice } from '../slice.ts';
import { retentionPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    ProjectTraceRetentionPolicy: true;
  }
}

/** For how long traces are kept. */
export const retentionSlice = defineSlice({
  policy: retentionPolicy,
  commands: async () => (await import('./commands.ts')).retentionCommands,
  routes: async () => (await import('./rest.ts')).retentionRoutes,
  types: async () => (await import('./graphql.ts')).addRetentionTypes,
});
