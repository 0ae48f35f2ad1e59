import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { formatGlobalId } from '#base/global-id';
import { type Account, assertMaySeeAccount } from '#domain/account';
import type { ApiKey, ApiKeyInput } from '#domain/api-key';
import type { KeyLimits } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { ApiKeyCommands } from './commands.ts';
import { type ApiKeyLoaders, createApiKeyLoaders } from './loaders.ts';
import { type IssuedApiKey, issueApiKey } from './operations.ts';
import { apiKeyPolicy } from './policy.ts';
import { listAllPersonalKeys, listSystemKeys } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    UserApiKey: ApiKey;
    SystemApiKey: ApiKey;
    CreateUserApiKeyMutationPayload: IssuedApiKey;
    CreateSystemApiKeyMutationPayload: IssuedApiKey;
    DeleteApiKeyMutationPayload: { readonly id: string };
  }
  interface EnumValues {
    ApiKeyOperations: NonNullable<KeyLimits['operations']>;
  }
}

/** What the resolvers of keys work with. */
type ApiKeyServices = Pick<TypeServices, 'readPrimary' | 'auth' | 'load'>;

/** Adds keys, and what can be done to them. */
export function addApiKeyTypes(
  { builder }: SchemaKit,
  services: ApiKeyServices,
  commands: CommandCalls<ApiKeyCommands>,
): void {
  const load = { ...services.load, ...createApiKeyLoaders(services.readPrimary) };
  addKeys(builder, load);
  addKeysOfUser(builder, load);
  addQueries(builder, services);
  addCreation(builder, services, commands);
  addDeletion(builder, commands);
}

type Load = ApiKeyServices['load'] & ApiKeyLoaders;

function addKeys(builder: Builder, load: Load): void {
  builder.enumType('ApiKeyOperations', {
    description: 'What alone a key can do.',
    values: {
      READ: { value: 'read', description: 'Read.' },
      INGEST: { value: 'ingest', description: 'Send telemetry.' },
    } as const,
  });
  const key = builder.interfaceRef<ApiKey>('ApiKey').implement({
    description: 'A key of a program. Its text is shown once, when it is created.',
    fields: (t) => ({
      name: t.exposeString('name'),
      description: t.exposeString('description', { nullable: true }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAtUs', { type: 'DateTime', nullable: true }),
      lastUsedAt: t.expose('lastUsedAtUs', { type: 'DateTime', nullable: true, description: 'To the minute.' }),
      operations: t.expose('operations', {
        type: 'ApiKeyOperations',
        nullable: true,
        description: 'Null where the key can do what its owner can.',
      }),
      projects: t.field({
        type: ['Project'],
        nullable: true,
        description: 'The projects that alone the key reaches; null for all of them.',
        resolve: async ({ projects }, _args, context) => {
          if (projects === null) return null;
          const found = await Promise.all(projects.map(({ rowId }) => load.project(context, rowId)));
          return found.filter((project) => project !== undefined);
        },
      }),
    }),
  });
  builder.objectType('UserApiKey', {
    access: apiKeyPolicy.read,
    interfaces: [key, 'Node'],
    fields: (t) => ({
      user: t.field({
        type: 'User',
        resolve: ({ userRowId }, _args, context) => loadOrThrow(load.account, context, userRowId ?? 0),
      }),
    }),
  });
  builder.objectType('SystemApiKey', {
    access: apiKeyPolicy.listSystem,
    interfaces: [key, 'Node'],
    fields: (t) => ({
      createdBy: t.field({
        type: 'User',
        nullable: true,
        description: 'Null where the account was deleted, or the administrator’s secret created the key.',
        resolve: ({ makerRowId }, _args, context) => (makerRowId === null ? null : load.account(context, makerRowId)),
      }),
    }),
  });
}

/** Of the system's account there are none: its keys are nobody's. */
function addKeysOfUser(builder: Builder, load: Load): void {
  const keysOf = async (account: Account, context: GraphqlContext) => {
    assertMaySeeAccount(context.caller, account);
    return (await load.keysOfAccount(context, account.rowId)) ?? [];
  };
  builder.objectFields('User', (t) => ({
    apiKeys: t.field({
      type: ['UserApiKey'],
      access: apiKeyPolicy.read,
      description: 'Newest first; for the user and administrators.',
      resolve: (account, _args, context) => keysOf(account, context),
    }),
    apiKeyCount: t.int({
      access: apiKeyPolicy.read,
      description: 'For the user and administrators.',
      resolve: async (account, _args, context) => (await keysOf(account, context)).length,
    }),
  }));
}

function addQueries(builder: Builder, { readPrimary }: ApiKeyServices): void {
  builder.queryFields((t) => ({
    userApiKeys: t.field({
      type: ['UserApiKey'],
      access: apiKeyPolicy.listPersonal,
      description: 'The keys of all people, newest first.',
      resolve: (_root, _args, { caller }) => listAllPersonalKeys(readPrimary(caller)),
    }),
    systemApiKeys: t.field({
      type: ['SystemApiKey'],
      access: apiKeyPolicy.listSystem,
      description: 'The keys of the system, newest first.',
      resolve: (_root, _args, { caller }) => listSystemKeys(readPrimary(caller)),
    }),
  }));
}

type InputFields = Parameters<Parameters<Builder['inputType']>[1]['fields']>[0];

function addCreation(builder: Builder, { auth }: ApiKeyServices, commands: CommandCalls<ApiKeyCommands>): void {
  const fields = (t: InputFields) => ({
    name: t.string({ required: true }),
    description: t.string(),
    expiresAt: t.field({ type: 'DateTime', description: 'May be past: the key is expired then.' }),
    operations: t.field({ type: 'ApiKeyOperations', description: 'Limits the key to reading, or to sending.' }),
    projectIds: t.idList({ description: 'Limits the key to these projects.' }),
  });
  const createSystem = builder.inputType('CreateApiKeyInput', { fields });
  const createUser = builder.inputType('CreateUserApiKeyInput', { fields });
  builder.objectType('CreateSystemApiKeyMutationPayload', {
    access: apiKeyPolicy.createSystem,
    fields: (t) => ({
      jwt: t.exposeString('text', { description: 'The key itself, which is shown only here.' }),
      apiKey: t.field({ type: 'SystemApiKey', resolve: ({ key }) => key }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.objectType('CreateUserApiKeyMutationPayload', {
    access: apiKeyPolicy.createOwn,
    fields: (t) => ({
      jwt: t.exposeString('text', { description: 'The key itself, which is shown only here.' }),
      apiKey: t.field({ type: 'UserApiKey', resolve: ({ key }) => key }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.mutationFields((t) => ({
    createSystemApiKey: t.field({
      type: 'CreateSystemApiKeyMutationPayload',
      access: apiKeyPolicy.createSystem,
      args: { input: t.arg({ type: createSystem, required: true }) },
      resolve: (_root, { input }, { caller }) => issueApiKey(caller, { auth, commands }, 'system', toInput(input)),
    }),
    createUserApiKey: t.field({
      type: 'CreateUserApiKeyMutationPayload',
      access: apiKeyPolicy.createOwn,
      args: { input: t.arg({ type: createUser, required: true }) },
      resolve: (_root, { input }, { caller }) => issueApiKey(caller, { auth, commands }, 'personal', toInput(input)),
    }),
  }));
}

interface KeyInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly operations?: KeyLimits['operations'] | undefined;
  readonly projectIds?: readonly (string | number)[] | null | undefined;
}

function toInput({ name, description, expiresAt, operations, projectIds }: KeyInput): ApiKeyInput {
  return {
    name,
    description: description ?? null,
    expiresAtUs: expiresAt ?? null,
    operations: operations ?? null,
    projectRowIds: projectIds?.map((id) => toRowId('Project', String(id))) ?? null,
  };
}

function addDeletion(builder: Builder, commands: CommandCalls<ApiKeyCommands>): void {
  const remove = builder.inputType('DeleteApiKeyInput', { fields: (t) => ({ id: t.id({ required: true }) }) });
  builder.objectType('DeleteApiKeyMutationPayload', {
    access: apiKeyPolicy.read,
    fields: (t) => ({
      apiKeyId: t.exposeID('id'),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.mutationFields((t) => ({
    deleteSystemApiKey: t.field({
      type: 'DeleteApiKeyMutationPayload',
      access: apiKeyPolicy.deleteSystem,
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        const rowId = toRowId('SystemApiKey', input.id);
        await commands.deleteSystem(caller, rowId);
        return { id: formatGlobalId('SystemApiKey', rowId) };
      },
    }),
    deleteUserApiKey: t.field({
      type: 'DeleteApiKeyMutationPayload',
      access: apiKeyPolicy.deletePersonal,
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        const rowId = toRowId('UserApiKey', input.id);
        await commands.deletePersonal(caller, rowId);
        return { id: formatGlobalId('UserApiKey', rowId) };
      },
    }),
  }));
}
