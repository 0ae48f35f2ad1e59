import { defineSlice } from '../slice.ts';
import { modelPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    GenerativeModel: true;
  }
}

/** What models cost. */
export const modelSlice = defineSlice({
  policy: modelPolicy,
  commands: async () => (await import('./commands.ts')).modelCommands,
  routes: async () => (await import('./rest.ts')).modelRoutes,
  types: async () => (await import('./graphql.ts')).addModelTypes,
});
