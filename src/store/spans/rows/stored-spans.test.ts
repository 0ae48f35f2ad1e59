import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { RandomStore } from '../../random-store.fixture.ts';
import { takeRoomHere } from '../../threads/room.fixture.ts';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { readOriginalsInParts } from './originals.ts';
import { readDecodedSpans } from './stored-spans.ts';

const TEXT_BYTES = 9_000_000;

let store: RandomStore;

beforeAll(async () => {
  store = await RandomStore.open({});
  const attributes = { text: 'x'.repeat(TEXT_BYTES) };
  await store.send([{ traceId: traceId(1), spanId: spanId(1), attributes }], 'app');
});

function selectRows() {
  return store.scope.db
    .selectFrom('spans')
    .select(['id as rowId', 'otel_resource_id as otelResourceId', 'instrumentation_scope_id as instrumentationScopeId'])
    .execute();
}

it('gives back what a large span took, also to who reads no further', async () => {
  const rows = await selectRows();
  const heldBytes = () => process.memoryUsage().arrayBuffers;
  const readFirst = async () => {
    for await (const _ of readDecodedSpans(store.scope, rows)) return heldBytes();
    return 0;
  };
  const mostBytes = await readFirst();
  await expect.poll(heldBytes, { timeout: 2000 }).toBeLessThan(mostBytes - 8_000_000);
});

it('takes room for originals that are only compared', async () => {
  const { db, dialect } = store.scope;
  const rowIds = (await selectRows()).map(({ rowId }) => rowId);
  const room = takeRoomHere(100_000_000);
  for await (const _ of readOriginalsInParts(db, dialect, rowIds)) {
    expect(room.takenBytes).toBeGreaterThan(2 * TEXT_BYTES);
  }
  await expect.poll(() => room.takenBytes, { timeout: 2000 }).toBe(0);
});

describe('a span of very many values', () => {
  const VALUES = 300_000;
  const heavyId = traceId(2);

  beforeAll(async () => {
    const span = { traceId: heavyId, spanId: spanId(2), attributes: { vector: Array<number>(VALUES).fill(0.5) } };
    await store.send([span, { ...span, spanId: spanId(3) }], 'heavy');
  });

  const selectHeavy = async () => (await selectRows()).slice(1);

  it('takes room for what is made of them', async () => {
    const rows = (await selectHeavy()).slice(0, 1);
    const room = takeRoomHere(1_000_000_000);
    for await (const _ of readDecodedSpans(store.scope, rows)) expect(room.takenBytes).toBeGreaterThan(100 * VALUES);
    await expect.poll(() => room.takenBytes, { timeout: 2000 }).toBe(0);
  });

  it('is not read by two at a time where there is room for one, and both come to their end', async () => {
    const rows = await selectHeavy();
    takeRoomHere(40_000_000, 30_000);
    let reading = 0;
    let most = 0;
    const readAll = async () => {
      let count = 0;
      for await (const _ of readDecodedSpans(store.scope, rows)) {
        most = Math.max(most, ++reading);
        await setImmediate();
        reading--;
        count++;
      }
      return count;
    };
    expect(await Promise.all([readAll(), readAll(), readAll()])).toEqual([2, 2, 2]);
    expect(most).toBe(1);
  });

  it('ends the list of who holds others already', async () => {
    const rows = await selectHeavy();
    const room = takeRoomHere(40_000_000);
    const others = await room.take(20_000_000);
    const ends: number[] = [];
    const endsBefore = ({ rowId }: { rowId: number }) => ends.push(rowId) > 0;
    for await (const _ of readDecodedSpans(store.scope, rows, { endsBefore })) expect.unreachable();
    expect(ends).toEqual([rows[0]?.rowId]);
    others[Symbol.dispose]();
  });
});

describe('a span that becomes many objects', () => {
  const dotted = Object.fromEntries(Array.from({ length: 1000 }, (_, place) => [`k${place}${'.a'.repeat(60)}`, place]));
  const json = JSON.stringify(Array.from({ length: 40_000 }, (_, place) => ({ place })));

  it.each([
    ['by dotted keys', 3, dotted, 600 * 60_000],
    ['by JSON in a text', 4, { metadata: json }, 100 * 40_000],
  ])('takes room for them: %s', async (_how, number, attributes, leastBytes) => {
    await store.send([{ traceId: traceId(number), spanId: spanId(number), attributes }], 'many');
    const rows = (await selectRows()).slice(-1);
    const room = takeRoomHere(1_000_000_000);
    for await (const _ of readDecodedSpans(store.scope, rows)) expect(room.takenBytes).toBeGreaterThan(leastBytes);
    await expect.poll(() => room.takenBytes, { timeout: 2000 }).toBe(0);
  });
});
