import { toRowId } from '#api/graphql/nodes';
import type { SchemaKit } from '#api/graphql/schema';
import { assertMaySeeAccount } from '#domain/account';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { SignInCommands } from './commands.ts';
import { createLockLoader } from './loaders.ts';
import { signInPolicy } from './policy.ts';

/** Adds to accounts whether they are locked, and what unlocks them. */
export function addSignInTypes(
  { builder }: SchemaKit,
  { readPrimary }: Pick<TypeServices, 'readPrimary'>,
  commands: CommandCalls<SignInCommands>,
): void {
  const loadLock = createLockLoader(readPrimary);
  builder.objectField('User', 'isLocked', (t) =>
    t.boolean({
      access: signInPolicy.readLock,
      description: 'Whether too many wrong passwords bar new browsers from signing in for some minutes.',
      resolve: (account, _args, context) => {
        assertMaySeeAccount(context.caller, account);
        return loadLock(context, account);
      },
    }),
  );
  const unlock = builder.inputType('UnlockUserInput', { fields: (t) => ({ userId: t.id({ required: true }) }) });
  builder.mutationField('unlockUser', (t) =>
    t.field({
      type: 'UserMutationPayload',
      access: signInPolicy.unlock,
      args: { input: t.arg({ type: unlock, required: true }) },
      resolve: async (_root, { input }, { caller }) => ({
        user: await commands.unlock(caller, { userRowId: toRowId('User', input.userId) }),
      }),
    }),
  );
}
