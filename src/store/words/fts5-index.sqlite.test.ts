import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWriter, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { fts5Index } from './fts5-index.ts';

const { findLastTexts, findTexts } = fts5Index;

const TEXTS = 50_000;
const WORD = { words: ['common'], isPrefix: false, parts: null };
/** Of texts of the millionth span: more than 32 bits. */
const FIRST = 2 ** 32;
const LAST = FIRST + TEXTS - 1;

let store: TestWriter;

beforeAll(async () => {
  store = await openTestWriter();
  await store.exec(`
    WITH RECURSIVE texts (id) AS (SELECT ${FIRST} UNION ALL SELECT id + 1 FROM texts WHERE id < ${LAST})
    INSERT INTO search_index (rowid, words, parts) SELECT id, 'common', '' FROM texts`);
});

afterAll(() => store.close());

it('finds texts whose ids are large', async () => {
  expect(await findTexts(store.db, WORD, { first: LAST - 2, last: LAST + 2 })).toEqual([0, 1, 2]);
  expect(await findTexts(store.db, WORD, { first: FIRST - 2, last: FIRST + 1 })).toEqual([2, 3]);
  expect(await findLastTexts(store.db, WORD, FIRST + 1, 5)).toEqual([FIRST, FIRST + 1]);
});

it('reads of a word only what stands in the range, wherever it is', async () => {
  const quickest = async (run: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const startedAt = performance.now();
      await run();
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };
  const all = await quickest(() => store.rows(`SELECT count(*) FROM search_index WHERE search_index MATCH 'common'`));
  expect(await quickest(() => findTexts(store.db, WORD, { first: LAST - 2, last: LAST }))).toBeLessThan(all / 3);
  expect(await quickest(() => findLastTexts(store.db, WORD, FIRST + 1, 1))).toBeLessThan(all / 3);
});
