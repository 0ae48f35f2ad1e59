import { beforeAll, expect, it } from 'vitest';
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
