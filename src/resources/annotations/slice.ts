import { defineSlice } from '../slice.ts';
import { annotationPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    SpanAnnotation: true;
    TraceAnnotation: true;
    ProjectSessionAnnotation: true;
    DocumentAnnotation: true;
  }
}

/** What people and programs say of spans, traces, sessions and documents. */
export const annotationSlice = defineSlice({
  policy: annotationPolicy,
  commands: async () => (await import('./commands.ts')).annotationCommands,
  hooks: async () => (await import('#store/annotations/write/hooks')).annotationHooks,
  routes: async () => (await import('./rest.ts')).annotationRoutes,
  types: async () => (await import('./graphql.ts')).addAnnotationTypes,
});
