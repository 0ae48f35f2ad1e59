import { defineSlice } from '../slice.ts';
import { bulkPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    BulkAction: true;
    AnnotationQueue: true;
  }
}

/** What is done to many rows of tables at once. */
export const bulkSlice = defineSlice({
  policy: bulkPolicy,
  commands: async () => (await import('./commands.ts')).bulkCommands,
  routes: async () => (await import('./rest.ts')).bulkRoutes,
  types: async () => (await import('./graphql.ts')).addBulkTypes,
});
