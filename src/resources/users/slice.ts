import { defineSlice } from '../slice.ts';
import { userPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    User: true;
    UserRole: true;
  }
}

/** Accounts of people. */
export const userSlice = defineSlice({
  policy: userPolicy,
  commands: async () => (await import('./commands.ts')).userCommands,
  routes: async () => (await import('./rest.ts')).userRoutes,
  types: async () => (await import('./graphql.ts')).addUserTypes,
});
