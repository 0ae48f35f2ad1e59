import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { recheckDamage } from '../verification/recheck-damage.ts';
import { type ColumnStore, openColumnStore } from './columns.fixture.ts';
import { findDueSegments } from './due-segments.ts';
import { markSegmentDue } from './store-segment.ts';

let store: ColumnStore;
let noted: Damage[];

beforeEach(async () => {
  store = await openColumnStore();
  noted = [];
  listenForDamage((damage) => noted.push(damage));
});

afterEach(() => store.close());

it('answers from rows what damaged columns held, names them, and has them built again', {
  timeout: 60_000,
}, async () => {
  const { db } = store.scope;
  await store.insert(
    Array.from({ length: 100 }, (_, place) => ({
      id: place + 1,
      prompt_tokens: (place * 7919) % 1000,
      model_name: `model ${place % 3}`,
      attributes: JSON.stringify({ topic: `topic ${place % 5}` }),
    })),
  );
  await store.setNextRowId(4097);
  await store.build();
  const read = async () =>
    (await store.read({ projectRowId: 1 }, { columns: ['prompt_tokens', 'model_name'], attributes: ['topic'] })).rows;
  const before = await read();
  expect(before.size).toBe(100);
  const chunks = await db.selectFrom('span_segment_columns').select(['name', 'data']).execute();
  const wanted = chunks.filter(({ name }) => ['row_ids', 'prompt_tokens', 'model_name', '@topic'].includes(name));
  expect(wanted).toHaveLength(4);
  const put = (name: string, data: Uint8Array) =>
    db.updateTable('span_segment_columns').set({ data }).where('name', '=', name).execute();
  for (const { name, data } of wanted) {
    for (const share of [0, 0.3, 0.6, 0.99]) {
      noted = [];
      const flipped = Uint8Array.from(data);
      const at = Math.floor(share * flipped.length);
      flipped[at] = (flipped[at] ?? 0) ^ 4;
      await put(name, flipped);
      expect(await read()).toEqual(before);
      expect(noted).toMatchObject([{ kind: 'columns', segment: 0, message: expect.stringContaining(name) }]);
    }
    await put(name, data);
  }
  // A whole chunk in the place of another.
  await put('prompt_tokens', wanted.find(({ name }) => name === 'row_ids')?.data ?? new Uint8Array());
  expect(await read()).toEqual(before);
  const [damage] = noted as [Damage];
  const recheck = () => recheckDamage({ ...store.scope, envelopes: new EnvelopeCache() }, damage);
  expect(await recheck()).toBe(damage);
  await markSegmentDue(store.scope, damage.segment ?? -1);
  expect((await findDueSegments(db)).due).toEqual([0]);
  await store.build();
  noted = [];
  expect(await read()).toEqual(before);
  expect([noted, await recheck()]).toEqual([[], null]);
});
