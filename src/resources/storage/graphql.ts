import { defineLoader } from '#api/graphql/loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { SpaceUse, TableSize } from '#store/dialect/dialect';
import type { TypeServices } from '../slice.ts';
import { storagePolicy } from './policy.ts';
import { SPACE_PARTS, type SpacePart, type SpaceShare, sumSpace } from './operations.ts';

/** How much of its space the data takes. */
interface StorageState {
  readonly usedBytes: number;
  /** The server refuses new data while more is used; `null` if it never does. */
  readonly blockAboveBytes: number | null;
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    DbTableStats: TableSize;
    ServerStatus: StorageState;
    StorageUse: SpaceUse;
    StorageShare: SpaceShare;
  }
  interface EnumValues {
    StoragePart: SpacePart;
  }
}

/** Looking at the files of every table. */
const MEASURE_COST = 20;

/** Looking at every page of a file. */
const LOOK_THROUGH_COST = 2000;

/** Adds how much space the data takes, and how much it may take. */
export function addStorageTypes(
  { builder }: SchemaKit,
  { read, storageGuard }: Pick<TypeServices, 'read' | 'storageGuard'>,
): void {
  const access = storagePolicy.read;
  // One operation asks for the tables and for the state.
  const loadSizes = defineLoader(
    async (caller, keys: readonly 'all'[]) => {
      const { db, dialect } = read(caller);
      const sizes = await dialect.measureTables(db);
      return keys.map(() => sizes);
    },
    (key) => key,
  );
  const loadUse = defineLoader(
    async (caller, keys: readonly 'all'[]) => {
      const { db, dialect } = read(caller);
      const use = await dialect.measureSpace(db);
      return keys.map(() => use);
    },
    (key) => key,
  );
  builder.objectType('DbTableStats', {
    access,
    fields: (t) => ({ tableName: t.exposeString('name'), numBytes: t.exposeFloat('bytes') }),
  });
  builder.objectType('ServerStatus', {
    access,
    fields: (t) => ({
      insufficientStorage: t.boolean({
        description: 'Whether the data uses so much of its space that the server refuses new data.',
        resolve: ({ usedBytes, blockAboveBytes }) => blockAboveBytes !== null && usedBytes > blockAboveBytes,
      }),
    }),
  });
  builder.enumType('StoragePart', { values: SPACE_PARTS });
  builder.objectType('StorageShare', {
    access,
    fields: (t) => ({
      part: t.field({ type: 'StoragePart', resolve: ({ part }) => part }),
      numBytes: t.exposeFloat('bytes'),
    }),
  });
  builder.objectType('StorageUse', {
    access,
    description: 'What takes space on disk.',
    fields: (t) => ({
      parts: t.field({
        type: ['StorageShare'],
        nullable: true,
        description:
          'Every kind of data; null for an SQLite file of more than 4 GB, which would take long to look through.',
        resolve: ({ tables }) => tables && [...sumSpace(tables)],
      }),
      freeBytes: t.float({
        nullable: true,
        description: 'Space within the data file that new data takes first; null on PostgreSQL.',
        resolve: (use) => use.freeBytes,
      }),
    }),
  });
  builder.queryFields((t) => ({
    storageUse: t.field({
      type: 'StorageUse',
      access,
      cost: LOOK_THROUGH_COST,
      resolve: (_root, _args, context) => loadUse(context, 'all'),
    }),
    dbStorageBlockAboveBytes: t.float({
      nullable: true,
      access,
      description: 'The server refuses new data while more bytes are used; null if it never does.',
      resolve: () => storageGuard?.blockAboveBytes,
    }),
    dbTableStats: t.field({
      type: ['DbTableStats'],
      access,
      cost: MEASURE_COST,
      description: 'Bytes of each table with its indexes, by name. SQLite has one row for all tables, named SQLite.',
      resolve: async (_root, _args, context) => [...(await loadSizes(context, 'all'))],
    }),
    dbStorageCapacityBytes: t.float({
      nullable: true,
      access,
      description: 'How many bytes the data may use; null if the server does not limit them.',
      resolve: () => storageGuard?.capacityBytes,
    }),
    serverStatus: t.field({
      type: 'ServerStatus',
      access,
      cost: MEASURE_COST,
      resolve: async (_root, _args, context) => {
        const sizes = await loadSizes(context, 'all');
        const usedBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        return { usedBytes, blockAboveBytes: storageGuard?.blockAboveBytes ?? null };
      },
    }),
  }));
}
