import type { Builder } from '#api/graphql/builder';
import { offsetWindow, toOffsetConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import type { GraphqlContext } from '#api/graphql/context';
import type { SchemaKit } from '#api/graphql/schema';
import {
  type Account,
  type AccountRole,
  assertMaySeeAccount,
  type AuthMethod,
  isBuiltInAdmin,
  maySeeAccount,
} from '#domain/account';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { UserCommands } from './commands.ts';
import { addUserMutations } from './graphql/mutations.ts';
import { createAccountLoader } from './loaders.ts';
import { findViewer } from './operations.ts';
import { userPolicy } from './policy.ts';
import { browsePeople, countPeople } from './queries.ts';

/** A role as clients know it, with an id of its own. */
interface RoleRow {
  readonly rowId: number;
  readonly name: AccountRole;
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    User: Account;
    UserRole: RoleRow;
  }
  interface EnumValues {
    AuthMethod: AuthMethod;
  }
}

/** What the resolvers of accounts work with. */
export type UserServices = Pick<TypeServices, 'read' | 'readPrimary' | 'auth'>;

const ROLES: readonly RoleRow[] = [
  { rowId: 1, name: 'SYSTEM' },
  { rowId: 2, name: 'ADMIN' },
  { rowId: 3, name: 'MEMBER' },
  { rowId: 4, name: 'VIEWER' },
];

/** Adds accounts and their roles. */
export function addUserTypes(
  { builder, nodes }: SchemaKit,
  services: UserServices,
  commands: CommandCalls<UserCommands>,
): void {
  const load = createAccountLoader(services.read);
  nodes.add('User', async (context: GraphqlContext, rowId) => {
    const account = await load(context, rowId);
    // Whether there is such an account is told to nobody else either.
    assertMaySeeAccount(context.caller, account ?? { rowId, role: 'VIEWER' });
    return account;
  });
  nodes.add('UserRole', async (_context, rowId) => ROLES.find((role) => role.rowId === rowId));
  addConnectionTypes(builder, 'User', userPolicy.browse);
  addUser(builder, services);
  addQueries(builder, services);
  addUserMutations(builder, services, commands);
}

function addUser(builder: Builder, { auth }: UserServices): void {
  builder.enumType('AuthMethod', { values: ['LOCAL', 'OAUTH2', 'LDAP'] as const });
  builder.objectType('UserRole', {
    access: userPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({ name: t.exposeString('name') }),
  });
  const managers = new Set(auth?.config.admins.map(({ email }) => email));
  builder.objectType('User', {
    access: userPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      username: t.exposeString('username'),
      email: t.string({
        nullable: true,
        description: 'Null for callers who are neither this user nor an administrator.',
        resolve: (account, _args, { caller }) => (maySeeAccount(caller, account) ? account.email : null),
      }),
      profilePictureUrl: t.exposeString('profilePictureUrl', { nullable: true }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      authMethod: t.expose('authMethod', { type: 'AuthMethod' }),
      role: t.field({ type: 'UserRole', resolve: ({ role }) => roleRow(role) }),
      passwordNeedsReset: t.boolean({
        description: 'Whether a new password must be chosen before anything else.',
        resolve: (account, _args, { caller }) => {
          assertMaySeeAccount(caller, account);
          return account.passwordNeedsReset;
        },
      }),
      isManagementUser: t.boolean({
        description: 'Whether the settings name this user as an administrator, or it is the built-in one.',
        resolve: (account) => isBuiltInAdmin(account) || managers.has(account.email ?? ''),
      }),
    }),
  });
}

function roleRow(name: AccountRole): RoleRow {
  return ROLES.find((role) => role.name === name) ?? { rowId: 0, name };
}

function addQueries(builder: Builder, services: UserServices): void {
  const { read } = services;
  builder.queryFields((t) => ({
    viewer: t.field({
      type: 'User',
      nullable: true,
      access: userPolicy.read,
      description: 'Who asks; null while authentication is off. For a key of the system the system’s own user.',
      resolve: (_root, _args, { caller }) => findViewer(caller, services),
    }),
    users: t.field({
      type: 'UserConnection',
      access: userPolicy.browse,
      description: 'By e-mail, without the system’s own user.',
      args: {
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
      },
      resolve: async (_root, { first, last, after, before }, { caller }) => {
        const total = await countPeople(read(caller));
        // `last` alone means the end of the whole list, not of the first page that `first` has by default.
        const window = offsetWindow({ first: last == null ? first : null, last, after, before }, total);
        return toOffsetConnection(await browsePeople(read(caller), window), window, total);
      },
    }),
    userRoles: t.field({
      type: ['UserRole'],
      access: userPolicy.listRoles,
      description: 'The roles that people can have.',
      resolve: () => ROLES.filter(({ name }) => name !== 'SYSTEM'),
    }),
  }));
}
