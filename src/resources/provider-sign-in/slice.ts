import { defineSlice } from '../slice.ts';
import { providerSignInPolicy } from './policy.ts';

/** Signing in with a provider of identities (OpenID Connect). */
export const providerSignInSlice = defineSlice({
  policy: providerSignInPolicy,
  commands: async () => (await import('./commands.ts')).providerSignInCommands,
  routes: async () => (await import('./rest.ts')).providerSignInRoutes,
  types: async () => () => undefined,
});
