/** How much space the data takes, over GraphQL. */
import { expect, it } from 'vitest';
import type { StorageGuardConfig } from '#config/config';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { openInProcess } from './in-process.ts';

interface Storage {
  readonly serverStatus: { readonly insufficientStorage: boolean };
  readonly dbTableStats: readonly { readonly tableName: string; readonly numBytes: number }[];
  readonly dbStorageCapacityBytes: number | null;
}

async function askWith(storageGuard: StorageGuardConfig | null) {
  const { store, query } = await openInProcess(storageGuard);
  try {
    const ask = () =>
      query<Storage>(
        '{ serverStatus { insufficientStorage } dbTableStats { tableName numBytes } dbStorageCapacityBytes }',
      );
    const before = await ask();
    await store.send(
      Array.from({ length: 200 }, (_, place) => ({
        traceId: traceId(place + 1),
        spanId: spanId(place + 1),
        attributes: { 'input.value': `${place}`.repeat(500) },
      })),
    );
    return { engine: store.scope.dialect.name, before, after: await ask() };
  } finally {
    await store.close();
  }
}

const bytesOf = ({ dbTableStats }: Storage) => dbTableStats.reduce((sum, { numBytes }) => sum + numBytes, 0);

it('tells what the tables take, which grows with what they hold', async () => {
  const { engine, before, after } = await askWith(null);
  expect(bytesOf(after)).toBeGreaterThan(bytesOf(before));
  const names = after.dbTableStats.map(({ tableName }) => tableName);
  if (engine === 'sqlite') expect(names).toEqual(['SQLite']);
  else expect(names).toEqual(expect.arrayContaining(['projects', 'spans', 'traces']));
  expect(after).toMatchObject({ serverStatus: { insufficientStorage: false }, dbStorageCapacityBytes: null });
});

it('tells that there is no room once more is used than the server lets in', async () => {
  const { before: empty } = await askWith(null);
  const usedBytes = bytesOf(empty);
  const capacityBytes = usedBytes * 100;
  const { before, after } = await askWith({ capacityBytes, blockAboveBytes: usedBytes });
  expect(before).toMatchObject({
    serverStatus: { insufficientStorage: false },
    dbStorageCapacityBytes: capacityBytes,
  });
  expect(after.serverStatus.insufficientStorage).toBe(true);
});
