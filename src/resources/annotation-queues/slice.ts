import { defineSlice } from '../slice.ts';
import { annotationQueuePolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    AnnotationQueue: true;
    AnnotationQueueItem: true;
    AnnotationQueueRule: true;
  }
}

/** Rows that people judge one after the other. */
export const annotationQueueSlice = defineSlice({
  policy: annotationQueuePolicy,
  commands: async () => (await import('./commands.ts')).annotationQueueCommands,
  hooks: async () => (await import('#store/annotations/write/queue-hooks')).queueHooks,
  routes: async () => (await import('./rest.ts')).annotationQueueRoutes,
  types: async () => (await import('./graphql.ts')).addAnnotationQueueTypes,
});
