import { defineSlice } from '../slice.ts';
import { auditPolicy } from './policy.ts';

declare module '#base/global-id' {
  interface GlobalIdTypes {
    AuditEvent: true;
  }
}

/** Who did what. */
export const auditSlice = defineSlice({
  policy: auditPolicy,
  commands: async () => (await import('./commands.ts')).auditCommands,
  routes: async () => (await import('./rest.ts')).auditRoutes,
  types: async () => (await import('./graphql.ts')).addAuditTypes,
});
