import type { Builder } from '#api/graphql/builder';
import { forwardPage, toConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import type { SchemaKit } from '#api/graphql/schema';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import { MAX_SECRETS, SHOWN_VALUE } from '#domain/secret';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { SecretCommands } from './commands.ts';
import { createSecretLoaders, type SecretLoaders } from './loaders.ts';
import { deletedNames, sealSecrets, type WithSecretBox } from './operations.ts';
import { secretPolicy } from './policy.ts';
import { isSecretName, listSecrets, type StoredSecret } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Secret: StoredSecret;
    DecryptedSecret: Readable;
    UnparsableSecret: Unreadable;
    UpsertOrDeleteSecretsMutationPayload: SecretBatch;
  }
}

/** What a batch came to. */
interface SecretBatch {
  readonly upserted: readonly StoredSecret[];
  /** Names. */
  readonly deleted: readonly string[];
}

/** A value that the server can read, without it. */
interface Readable {
  readonly isReadable: true;
}

interface Unreadable {
  readonly isReadable: false;
}

/** What the resolvers work with. */
type SecretServices = Pick<TypeServices, 'read'> & WithSecretBox;

/** Adds stored secrets, without their values. */
export function addSecretTypes(
  { builder, nodes }: SchemaKit,
  services: SecretServices,
  commands: CommandCalls<SecretCommands>,
): void {
  const load = createSecretLoaders(services.read);
  nodes.addNamed('Secret', load.secret);
  addConnectionTypes(builder, 'Secret', secretPolicy.list);
  addSecret(builder, services, load);
  addQueries(builder, services);
  addMutations(builder, services, commands);
}

function addSecret(builder: Builder, services: SecretServices, load: SecretLoaders): void {
  builder.scalarType('RedactedString', {
    description: `Stands in place of a secret: always ${SHOWN_VALUE}.`,
    serialize: (value) => value,
  });
  builder.objectType('DecryptedSecret', {
    description: 'The server can read the value. Nobody else can.',
    access: secretPolicy.readValue,
    fields: (t) => ({ value: t.field({ type: 'RedactedString', resolve: () => SHOWN_VALUE }) }),
  });
  builder.objectType('UnparsableSecret', {
    description: 'The server cannot read the value: it was encrypted with a key that the server does not have.',
    access: secretPolicy.readValue,
    fields: (t) => ({ parseError: t.string({ resolve: () => UNREADABLE }) }),
  });
  const resolved = builder.unionType('ResolvedSecret', {
    types: ['DecryptedSecret', 'UnparsableSecret'],
    resolveType: ({ isReadable }: Readable | Unreadable) => (isReadable ? 'DecryptedSecret' : 'UnparsableSecret'),
  });
  builder.objectType('Secret', {
    description: 'A value that people keep here for the server’s use, encrypted.',
    access: secretPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      key: t.exposeString('rowId'),
      updatedAt: t.expose('updatedAtUs', { type: 'DateTime' }),
      user: t.field({
        type: 'User',
        nullable: true,
        description: 'Who said the value; null where no person did, or the account is deleted.',
        resolve: ({ userRowId }, _args, context) => (userRowId === null ? null : load.user(context, userRowId)),
      }),
      value: t.field({
        type: resolved,
        access: secretPolicy.readValue,
        resolve: async ({ rowId, sealed }): Promise<Readable | Unreadable> => ({
          isReadable: (await services.auth.secretBox.open(rowId, sealed)) !== null,
        }),
      }),
    }),
  });
}

const UNREADABLE =
  'The value was encrypted with a key that this server does not have: start it with that key as SERVICE_PREVIOUS_SECRET, or enter the value again.';

function addQueries(builder: Builder, { read }: SecretServices): void {
  builder.queryFields((t) => ({
    secrets: t.field({
      type: 'SecretConnection',
      access: secretPolicy.list,
      description: 'By key; its cursors are keys. Keys that do not exist are skipped.',
      args: {
        keys: t.arg.stringList(),
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
      },
      resolve: async (_root, { keys, ...args }, { caller }) => {
        if (keys != null && keys.length > MAX_SECRETS)
          throw new AppError('invalid_argument', `At most ${MAX_SECRETS} keys can be named at once.`);
        const { limit, cursor } = forwardPage(args);
        if (cursor !== null && !isSecretName(cursor))
          throw new AppError('invalid_argument', 'Invalid cursor: use a cursor from this list.');
        const found = await listSecrets(read(caller), { names: keys ?? null, after: cursor, limit: limit + 1 });
        const edges = found.slice(0, limit).map((node) => ({ node, cursor: node.rowId }));
        return toConnection(edges, { after: cursor, hasNextPage: found.length > limit });
      },
    }),
  }));
}

function addMutations(builder: Builder, services: SecretServices, commands: CommandCalls<SecretCommands>): void {
  builder.objectType('UpsertOrDeleteSecretsMutationPayload', {
    access: secretPolicy.read,
    fields: (t) => ({
      upsertedSecrets: t.field({ type: ['Secret'], resolve: ({ upserted }) => upserted }),
      deletedIds: t.idList({ resolve: ({ deleted }) => deleted.map((name) => formatGlobalId('Secret', name)) }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  const entry = builder.inputType('SecretKeyValueInput', {
    fields: (t) => ({
      key: t.string({ required: true }),
      value: t.string({ description: 'Must be given; null deletes the secret.' }),
    }),
  });
  const input = builder.inputType('UpsertOrDeleteSecretsMutationInput', {
    fields: (t) => ({ secrets: t.field({ type: [entry], required: true }) }),
  });
  builder.mutationFields((t) => ({
    upsertOrDeleteSecrets: t.field({
      type: 'UpsertOrDeleteSecretsMutationPayload',
      access: secretPolicy.upsertOrDelete,
      description: 'Stores and deletes secrets, all or none. The last entry of a key counts.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: { secrets } }, { caller }) => {
        const entries = secrets.map(({ key, value }, index) => {
          if (value !== undefined) return { name: key, value };
          throw new AppError(
            'invalid_argument',
            `secrets[${index}]: the value is missing; to delete the secret, send null.`,
          );
        });
        const changes = await sealSecrets(services.auth.secretBox, entries);
        return { upserted: await commands.upsertOrDelete(caller, changes), deleted: deletedNames(changes) };
      },
    }),
  }));
}
