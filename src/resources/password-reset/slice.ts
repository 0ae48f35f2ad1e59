import { defineSlice } from '../slice.ts';
import { passwordResetPolicy } from './policy.ts';

/** New passwords for people who have forgotten theirs. */
export const passwordResetSlice = defineSlice({
  policy: passwordResetPolicy,
  commands: async () => (await import('./commands.ts')).passwordResetCommands,
  routes: async () => (await import('./rest.ts')).passwordResetRoutes,
  types: async () => () => undefined,
});
