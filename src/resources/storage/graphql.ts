import { defineLoader } from '#api/graphql/loader';
import type { SchemaKit } from '#api/graphql/schema';
import type { TableSize } from '#store/dialect/dialect';
import type { TypeServices } from '../slice.ts';
import { storagePolicy } from './policy.ts';

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
  }
}

/** Looking at the files of every table. */
const MEASURE_COST = 20;

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
  builder.queryFields((t) => ({
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
