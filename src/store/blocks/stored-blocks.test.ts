import { expect, it } from 'vitest';
import { openTestWriter } from '../logs/write/open-writer.fixture.ts';
import { toWholeBlocks } from './stored-blocks.ts';

it('blocks come with their dictionaries, whichever were read before', async () => {
  const { db } = await openTestWriter();
  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, place) => first + place);
  for (const id of range(1, 50)) {
    const data = Buffer.from(`dictionary ${id}`);
    await db.insertInto('block_dictionaries').values({ project_id: id, made_at_block_id: 0, data }).execute();
  }
  const read = async (ids: readonly number[]) => {
    const rows = ids.map((id) => ({ id, data: new Uint8Array(), raw_bytes: 0, dictionary_id: id, pieces: null }));
    const whole = await toWholeBlocks(db, rows);
    return whole.map(({ block }) => Buffer.from(block.dictionary ?? []).toString());
  };
  for (const ids of [range(1, 20), range(11, 35), range(1, 50), [1, 50]]) {
    expect(await read(ids)).toEqual(ids.map((id) => `dictionary ${id}`));
  }
  const [first, second] = await Promise.all([read(range(1, 30)), read(range(20, 50))]);
  expect([first.length, second.length, first.includes(''), second.includes('')]).toEqual([30, 31, false, false]);
});
