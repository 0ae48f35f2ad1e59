import { defineSlice } from '../slice.ts';
import { signInPolicy } from './policy.ts';

/** Signing in and out with browsers, and what stands before it. */
export const signInSlice = defineSlice({
  policy: signInPolicy,
  commands: async () => (await import('./commands.ts')).signInCommands,
  routes: async () => (await import('./rest.ts')).signInRoutes,
  types: async () => (await import('./graphql.ts')).addSignInTypes,
});
