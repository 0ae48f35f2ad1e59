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

it('tells what kinds of data take space, and what is free', async () => {
  const { store, query } = await openInProcess(null);
  try {
    const ask = () =>
      query<{
        readonly storageUse: {
          readonly parts: readonly { readonly part: string; readonly numBytes: number }[];
          readonly freeBytes: number | null;
        };
      }>('{ storageUse { parts { part numBytes } freeBytes } }');
    const before = (await ask()).storageUse;
    await store.send(
      Array.from({ length: 200 }, (_, place) => ({
        traceId: traceId(place + 1),
        spanId: spanId(place + 1),
        attributes: { 'input.value': `${place}`.repeat(500) },
      })),
    );
    const after = (await ask()).storageUse;
    expect(after.parts.map(({ part }) => part)).toEqual([
      'SPANS',
      'ORIGINALS',
      'COLUMNS',
      'SEARCH',
      'INDEXES',
      'RECORDS',
    ]);
    const grown = after.parts.filter(({ numBytes }, place) => numBytes > (before.parts[place]?.numBytes ?? 0));
    expect(grown.map(({ part }) => part)).toEqual(expect.arrayContaining(['SPANS', 'ORIGINALS']));
    expect(typeof after.freeBytes).toBe(store.scope.dialect.name === 'sqlite' ? 'number' : 'object');
  } finally {
    await store.close();
  }
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
