import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { AppError } from '#base/errors';
import type { AuthServices, StoredPassword } from '#credentials/port';
import type { Account, AuthMethod, PersonRole } from '#domain/account';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../../slice.ts';
import type { UserCommands } from '../commands.ts';
import { assertPasswordsAreEnabled, checkPasswordChange, sendWelcome, toStoredPassword } from '../operations.ts';
import { userPolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    UserMutationPayload: { readonly user: Account };
    DeleteUsersPayload: { readonly userIds: readonly string[] };
  }
}

/** Adds the changes of accounts. Passwords are hashed before the command that stores them: no transaction waits for that. */
export function addUserMutations(
  builder: Builder,
  services: Pick<TypeServices, 'readPrimary' | 'auth'>,
  commands: CommandCalls<UserCommands>,
): void {
  builder.objectType('UserMutationPayload', {
    access: userPolicy.read,
    fields: (t) => ({ user: t.field({ type: 'User', resolve: ({ user }) => user }) }),
  });
  builder.objectType('DeleteUsersPayload', {
    access: userPolicy.remove,
    fields: (t) => ({ userIds: t.idList({ resolve: ({ userIds }) => [...userIds] }) }),
  });
  addAdminMutations(builder, services, commands);
  addOwnMutation(builder, services, commands);
}

function addAdminMutations(
  builder: Builder,
  { auth }: Pick<TypeServices, 'auth'>,
  commands: CommandCalls<UserCommands>,
): void {
  const role = builder.enumType('UserRoleInput', { values: ['ADMIN', 'MEMBER', 'VIEWER'] as const });
  const create = builder.inputType('CreateUserInput', {
    fields: (t) => ({
      email: t.string({ required: true }),
      username: t.string({ required: true }),
      password: t.string(),
      role: t.field({ type: role, required: true }),
      sendWelcomeEmail: t.boolean({ defaultValue: false }),
      authMethod: t.field({ type: 'AuthMethod', defaultValue: 'LOCAL' }),
    }),
  });
  const patch = builder.inputType('PatchUserInput', {
    fields: (t) => ({
      userId: t.id({ required: true }),
      newRole: t.field({ type: role }),
      newUsername: t.string(),
      newPassword: t.string(),
    }),
  });
  const remove = builder.inputType('DeleteUsersInput', { fields: (t) => ({ userIds: t.idList({ required: true }) }) });
  builder.mutationFields((t) => ({
    createUser: t.field({
      type: 'UserMutationPayload',
      access: userPolicy.add,
      args: { input: t.arg({ type: create, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        const { email, username, role: chosen } = input;
        const authMethod = input.authMethod ?? 'LOCAL';
        const password = await newPasswordOf(auth, authMethod, input.password ?? '');
        const user = await commands.create(caller, { email, username, role: chosen, authMethod, password });
        if (input.sendWelcomeEmail === true) sendWelcome(auth, user);
        return { user };
      },
    }),
    patchUser: t.field({
      type: 'UserMutationPayload',
      access: userPolicy.patch,
      args: { input: t.arg({ type: patch, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        const password = input.newPassword == null ? undefined : await toStoredPassword(auth, input.newPassword);
        return {
          user: await commands.patch(caller, {
            rowId: toRowId('User', input.userId),
            role: (input.newRole ?? undefined) satisfies PersonRole | undefined,
            username: input.newUsername ?? undefined,
            password,
          }),
        };
      },
    }),
    deleteUsers: t.field({
      type: 'DeleteUsersPayload',
      access: userPolicy.remove,
      description: 'All of them, or none.',
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: async (_root, { input: { userIds } }, { caller }) => {
        if (userIds.length === 0 || userIds.length > MAX_DELETED) {
          throw new AppError('invalid_argument', `Between 1 and ${MAX_DELETED} users can be deleted at once.`);
        }
        const rowIds = new Set(userIds.map((id) => toRowId('User', id)));
        await commands.remove(caller, [...rowIds]);
        return { userIds };
      },
    }),
  }));
}

const MAX_DELETED = 1000;

function addOwnMutation(
  builder: Builder,
  services: Pick<TypeServices, 'readPrimary' | 'auth'>,
  commands: CommandCalls<UserCommands>,
): void {
  const patch = builder.inputType('PatchViewerInput', {
    fields: (t) => ({ newUsername: t.string(), newPassword: t.string(), currentPassword: t.string() }),
  });
  builder.mutationFields((t) => ({
    patchViewer: t.field({
      type: 'UserMutationPayload',
      access: userPolicy.patchViewer,
      description: 'A new password signs out everywhere, here too.',
      args: { input: t.arg({ type: patch, required: true }) },
      resolve: async (_root, { input: { newUsername, newPassword, currentPassword } }, { caller, endSession }) => {
        const change = newPassword == null ? undefined : { next: newPassword, current: currentPassword ?? '' };
        const password = change && (await checkPasswordChange(caller, services, change));
        const user = await commands.patchViewer(caller, { username: newUsername ?? undefined, password });
        if (password !== undefined) endSession();
        return { user };
      },
    }),
  }));
}

/** An empty password is none. */
async function newPasswordOf(
  auth: AuthServices,
  authMethod: AuthMethod,
  password: string,
): Promise<StoredPassword | null> {
  if (authMethod === 'LOCAL') {
    assertPasswordsAreEnabled(auth);
    if (password === '') throw new AppError('invalid_argument', 'A password is required for LOCAL users.');
    return toStoredPassword(auth, password);
  }
  if (password === '') return null;
  throw new AppError('invalid_argument', `A password is for LOCAL users alone, not for ${authMethod} ones.`);
}
