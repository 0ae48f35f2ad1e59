import { expect, it } from 'vitest';
import { RandomStore } from '../../random-store.fixture.ts';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { readDecodedSpans } from './stored-spans.ts';

it('gives back what a large span took, also to who reads no further', async () => {
  const store = await RandomStore.open({});
  const attributes = { text: 'x'.repeat(9_000_000) };
  await store.send([{ traceId: traceId(1), spanId: spanId(1), attributes }], 'app');
  const { db } = store.scope;
  const rows = await db
    .selectFrom('spans')
    .select(['id as rowId', 'otel_resource_id as otelResourceId', 'instrumentation_scope_id as instrumentationScopeId'])
    .execute();
  const heldBytes = () => process.memoryUsage().arrayBuffers;
  const readFirst = async () => {
    for await (const _ of readDecodedSpans(store.scope, rows)) return heldBytes();
    return 0;
  };
  const mostBytes = await readFirst();
  await expect.poll(heldBytes, { timeout: 2000 }).toBeLessThan(mostBytes - 8_000_000);
});
