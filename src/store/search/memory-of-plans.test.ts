import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { takeRoomHere } from '../threads/room.fixture.ts';
import { openSearchable, STEP } from './open-searchable.fixture.ts';
import { planIndex } from './plan-index.ts';

it('a large text has room until its words are planned', async () => {
  const store = await openSearchable();
  onTestFinished(() => store.close());
  const attributes = { 'output.value': 'some words '.repeat(1_000_000) };
  await store.send([{ traceId: traceId(1), spanId: spanId(1), attributes }]);
  const room = takeRoomHere(100_000_000);
  const takenBytes: number[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // What is given back is told by a message.
      await nextTurn();
      await nextTurn();
      takenBytes.push(room.takenBytes);
      return result;
    },
  };
  const plan = await planIndex({ ...store.scope, db: store.scope.db.withPlugin(watch) }, STEP);
  expect(plan?.spanCount).toBe(1);
  expect(takenBytes.at(-1)).toBeGreaterThan(30_000_000);
  await expect.poll(() => room.takenBytes).toBe(0);
});

it('a large span that is damaged gives its room back, and does not keep others from being indexed', async () => {
  const store = await openSearchable();
  onTestFinished(() => store.close());
  const large = (number: number) => ({ 'output.value': `word${number} `.repeat(1_500_000) });
  await store.send([{ traceId: traceId(1), spanId: spanId(1), name: 'damaged', attributes: large(1) }]);
  await store.db
    .updateTable('blocks')
    .set({ data: new Uint8Array(100) })
    .execute();
  await store.send([{ traceId: traceId(2), spanId: spanId(2), name: 'large', attributes: large(2) }]);
  await store.send([{ traceId: traceId(3), spanId: spanId(3), name: 'large too', attributes: large(3) }]);
  // As much as the background has, of which one large span takes all.
  const room = takeRoomHere(24 * 1024 * 1024);
  await store.index();
  expect(await store.indexedTexts()).toHaveLength(4);
  await expect.poll(() => room.takenBytes).toBe(0);
});
