import { defineSlice } from '../slice.ts';
import { apiKeyPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    UserApiKey: true;
    SystemApiKey: true;
  }
}

/** Keys of programs: those of people, and those of the system. */
export const apiKeySlice = defineSlice({
  policy: apiKeyPolicy,
  commands: async () => (await import('./commands.ts')).apiKeyCommands,
  routes: async () => (await import('./rest.ts')).apiKeyRoutes,
  types: async () => (await import('./graphql.ts')).addApiKeyTypes,
});
