import { defineSlice } from '../slice.ts';
import { annotationConfigPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    CategoricalAnnotationConfig: true;
    ContinuousAnnotationConfig: true;
    FreeformAnnotationConfig: true;
  }
}

/** What annotations may say. */
export const annotationConfigSlice = defineSlice({
  policy: annotationConfigPolicy,
  commands: async () => (await import('./commands.ts')).annotationConfigCommands,
  routes: async () => (await import('./rest.ts')).annotationConfigRoutes,
  types: async () => (await import('./graphql.ts')).addAnnotationConfigTypes,
});
