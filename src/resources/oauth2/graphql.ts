import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { formatGlobalId } from '#base/global-id';
import { type Account, assertMaySeeAccount, maySeeAccount } from '#domain/account';
import { type Grant, isFirstParty } from '#domain/application';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { Oauth2Commands } from './commands.ts';
import { createGrantLoaders, type GrantLoaders } from './loaders.ts';
import { oauth2Policy } from './policy.ts';
import { listGrants } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    OAuth2Grant: Grant;
    RevokeOAuth2GrantMutationPayload: { readonly id: string };
  }
}

/** Adds what people let applications do. */
export function addOauth2Types(
  { builder, nodes }: SchemaKit,
  { readPrimary }: Pick<TypeServices, 'readPrimary'>,
  commands: CommandCalls<Oauth2Commands>,
): void {
  const load = createGrantLoaders(readPrimary);
  nodes.add('OAuth2Grant', async (context: GraphqlContext, rowId) => {
    const grant = await load.grant(context, rowId);
    const account = grant && (await load.account(context, grant.userRowId));
    // Whether there is such a grant is told to nobody else either.
    return account !== undefined && maySeeAccount(context.caller, account) ? grant : undefined;
  });
  addGrant(builder, load);
  builder.queryField('oauth2Grants', (t) =>
    t.field({
      type: ['OAuth2Grant'],
      access: oauth2Policy.list,
      description: 'The applications that people let in, newest first.',
      resolve: (_root, _args, { caller }) => listGrants(readPrimary(caller), Date.now() * 1000),
    }),
  );
  addRevocation(builder, commands);
}

function addGrant(builder: Builder, load: GrantLoaders): void {
  builder.objectType('OAuth2Grant', {
    access: oauth2Policy.read,
    description: 'What an application may do in the name of a user who let it in.',
    interfaces: ['Node'],
    fields: (t) => ({
      user: t.field({
        type: 'User',
        resolve: ({ userRowId }, _args, context) => loadOrThrow(load.account, context, userRowId),
      }),
      clientName: t.exposeString('clientName', { description: 'What the application calls itself.' }),
      isFirstParty: t.boolean({
        description: 'Whether the application belongs to this server.',
        resolve: ({ clientId }) => isFirstParty(clientId),
      }),
      clientId: t.exposeString('clientId'),
      scopes: t.stringList({
        description: 'Always empty: an application may do what the user may.',
        resolve: () => [],
      }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAtUs', { type: 'DateTime', nullable: true }),
      lastUsedAt: t.expose('lastUsedAtUs', {
        type: 'DateTime',
        nullable: true,
        description: 'When the application got tokens last.',
      }),
    }),
  });
  const grantsOf = async (account: Account, context: GraphqlContext) => {
    assertMaySeeAccount(context.caller, account);
    return (await load.grantsOfAccount(context, account.rowId)) ?? [];
  };
  builder.objectFields('User', (t) => ({
    oauth2Grants: t.field({
      type: ['OAuth2Grant'],
      access: oauth2Policy.read,
      description: 'Newest first; for the user and administrators.',
      resolve: (account, _args, context) => grantsOf(account, context),
    }),
    oauth2GrantCount: t.int({
      access: oauth2Policy.read,
      description: 'For the user and administrators.',
      resolve: async (account, _args, context) => (await grantsOf(account, context)).length,
    }),
  }));
}

function addRevocation(builder: Builder, commands: CommandCalls<Oauth2Commands>): void {
  const input = builder.inputType('RevokeOAuth2GrantInput', { fields: (t) => ({ id: t.id({ required: true }) }) });
  builder.objectType('RevokeOAuth2GrantMutationPayload', {
    access: oauth2Policy.revoke,
    fields: (t) => ({
      grantId: t.id({ resolve: ({ id }) => id }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.mutationField('revokeOAuth2Grant', (t) =>
    t.field({
      type: 'RevokeOAuth2GrantMutationPayload',
      access: oauth2Policy.revoke,
      description: 'Ends what an application may do; for the user who let it in and administrators.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: { id } }, { caller }) => {
        const rowId = toRowId('OAuth2Grant', id);
        await commands.revoke(caller, rowId);
        return { id: formatGlobalId('OAuth2Grant', rowId) };
      },
    }),
  );
}
