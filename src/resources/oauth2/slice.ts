import { defineSlice } from '../slice.ts';
import { oauth2Policy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    OAuth2Grant: true;
  }
}

/** Applications that people let act in their name. */
export const oauth2Slice = defineSlice({
  policy: oauth2Policy,
  commands: async () => (await import('./commands.ts')).oauth2Commands,
  routes: async () => (await import('./rest.ts')).oauth2Routes,
  types: async () => (await import('./graphql.ts')).addOauth2Types,
});
