import { zstdCompressSync, constants } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { Vocabulary } from './vocabulary.ts';

let engine: TestEngine;

beforeEach(async () => {
  engine = await openTestEngine();
});

afterEach(() => engine.close());

it('cannot tell words of a part whose words are damaged, and names the part', async () => {
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  const words = Buffer.from('\ncustomer\ninvoice\nparcel\n');
  const vocabulary = zstdCompressSync(words, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const empty = new Uint8Array();
  const counts = { text_count: 0, size: 0, vocabulary_size: words.length, removed_count: 0 };
  const row = {
    part: 7,
    number: 1,
    ...counts,
    removed_ms: null,
    removed: null,
    texts: empty,
    lengths: empty,
    vocabulary,
  };
  await engine.db.insertInto('search_segments').values(row).execute();
  const find = async () => (await Vocabulary.read(engine, 7)).find({ text: 'cel', as: 'end' }, 10);
  expect(await find()).toEqual(['parcel']);
  for (let at = 5; at < vocabulary.length; at++) {
    const flipped = Uint8Array.from(vocabulary);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    await engine.db.updateTable('search_segments').set({ vocabulary: flipped }).execute();
    expect([null, 'parcel']).toContain((await find())?.join() ?? null);
  }
  expect(await find()).toBeNull();
  expect(noted.at(-1)).toMatchObject({ kind: 'search_words', message: expect.stringContaining('part 7') });
});
