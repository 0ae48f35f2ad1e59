import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collectGarbage } from '#base/collect-garbage';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { sealSegment } from '../words/sealed-segments.ts';
import { buildSegment } from '../words/segment.ts';
import { findWords } from './vocabulary.ts';

let engine: TestEngine;

beforeEach(async () => {
  engine = await openTestEngine();
});

afterEach(() => engine.close());

it('cannot tell words of a part whose words are damaged, and names the part', async () => {
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  const segment = buildSegment([{ offset: 0, text: 'customer invoice parcel' }]);
  const { row } = sealSegment({ part: 7, number: 1 }, segment);
  await engine.db.insertInto('search_segments').values(row).execute();
  const find = () => findWords(engine, 7, { text: 'cel', as: 'end' }, 10);
  expect(await find()).toEqual(['parcel']);
  for (const [at, byte] of row.vocabulary.entries()) {
    const vocabulary = row.vocabulary.with(at, byte ^ 1);
    await engine.db.updateTable('search_segments').set({ vocabulary }).execute();
    expect(await find()).toBeNull();
  }
  expect(noted.at(-1)).toMatchObject({ kind: 'search_words', message: expect.stringContaining('part 7') });
});

it('holds no list of words for those that ask for many at once', async () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `w${(at * 7919) % 1_000_003}of${at}`).join(' ');
  const { row } = sealSegment({ part: 3, number: 1 }, buildSegment([{ offset: 0, text }]));
  await engine.db.insertInto('search_segments').values(row).execute();
  const held = () => process.memoryUsage().arrayBuffers;
  const before = held();
  let most = 0;
  const find = async (at: number) => {
    const words = await findWords(engine, 3, { text: `of${at}`, as: 'end' }, 100);
    // What drivers have dropped does not count.
    collectGarbage();
    most = Math.max(most, held() - before);
    return words;
  };
  const found = await Promise.all(Array.from({ length: 40 }, (_, at) => find(50_000 + at)));
  expect(found[7]).toEqual([expect.stringMatching(/^w\d+of50007$/)]);
  expect(row.vocabulary_size).toBeGreaterThan(600_000);
  expect(most).toBeLessThan(40 * row.vocabulary.length + 2 * row.vocabulary_size);
});

it('reads a few megabytes of the lists of a part at a time, and finds the words of all', async () => {
  const listOf = (number: number) => {
    const text = Array.from({ length: 12_000 }, (_, at) => `${randomBytes(20).toString('hex')}x${number}x${at}`).join(
      ' ',
    );
    return sealSegment({ part: 3, number }, buildSegment([{ offset: 0, text }])).row;
  };
  const rows = Array.from({ length: 10 }, (_, at) => listOf(at + 1));
  for (const row of rows) await engine.db.insertInto('search_segments').values(row).execute();
  const read: number[] = [];
  const db = engine.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const lists = result.rows.filter((row) => 'vocabulary' in row);
      if (lists.length > 0) read.push(lists.reduce((sum, row) => sum + Number(row['vocabulary_size']), 0));
      return result;
    },
  });
  const find = (limit: number) => findWords({ ...engine, db }, 3, { text: 'x777', as: 'end' }, limit);
  expect(await find(10)).toHaveLength(10);
  const size = rows.reduce((sum, row) => sum + row.vocabulary_size, 0);
  expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBe(size);
  expect(size).toBeGreaterThan(5_000_000);
  expect(Math.max(...read)).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(await find(9)).toBeNull();
});

it('looks again where lists were merged while it looked', async () => {
  const listOf = (number: number, text: string) =>
    sealSegment({ part: 5, number }, buildSegment([{ offset: 0, text }])).row;
  await engine.db
    .insertInto('search_segments')
    .values([listOf(1, 'parcel'), listOf(2, 'cancel')])
    .execute();
  const merged = listOf(3, 'parcel cancel');
  let reads = 0;
  const db = engine.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (++reads === 1) {
        await engine.db.deleteFrom('search_segments').where('part', '=', 5).execute();
        await engine.db.insertInto('search_segments').values(merged).execute();
      }
      return result;
    },
  });
  expect(await findWords({ ...engine, db }, 5, { text: 'cel', as: 'end' }, 10)).toEqual(
    expect.arrayContaining(['parcel', 'cancel']),
  );
  expect(reads).toBe(4);
});
