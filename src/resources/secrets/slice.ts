import { defineSlice } from '../slice.ts';
import { secretPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    Secret: true;
  }
}

/** What people keep here, encrypted, for the server's use. */
export const secretSlice = defineSlice({
  policy: secretPolicy,
  commands: async () => (await import('./commands.ts')).secretCommands,
  routes: async () => (await import('./rest.ts')).secretRoutes,
  types: async () => (await import('./graphql.ts')).addSecretTypes,
});
