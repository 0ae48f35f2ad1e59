import { defineSlice } from '../slice.ts';
import { projectPolicy } from './policy.ts';

/** Where an application's traces are collected. */
export const projectSlice = defineSlice({
  policy: projectPolicy,
  commands: async () => (await import('./commands.ts')).projectCommands,
  routes: async () => (await import('./rest.ts')).projectRoutes,
  types: async () => (await import('./graphql.ts')).addProjectTypes,
});
