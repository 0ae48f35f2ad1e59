import { defineCommands } from '#store/commands/command';
import { defineSlice } from '../slice.ts';
import { agreementPolicy } from './policy.ts';

/** How far those who judged agree. */
export const agreementSlice = defineSlice({
  policy: agreementPolicy,
  commands: async () => defineCommands(agreementPolicy, {}),
  routes: async () => () => [],
  types: async () => (await import('./graphql.ts')).addAgreementTypes,
});
