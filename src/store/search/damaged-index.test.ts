/** Beside damage of the search index everything is found, by originals if need be; and the index is made whole again. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { randomNumbers } from '../../../test/traffic/random.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { flipWords, readWords, replaceWords } from '../words/flip-words.fixture.ts';
import { verifyPart } from '../words/read-segment.ts';
import { openInTwoParts, type Searchable } from './open-searchable.fixture.ts';
import { startSearchRebuild, suspectPart } from '../texts/progress.ts';

let store: Searchable;

beforeEach(async () => {
  store = await openInTwoParts();
});

afterEach(() => store.close());

const TEXTS = [
  'Where is my refund?',
  'It left on Monday, in a parcel.',
  'nothing of that',
  'Refund the ORDER, please: getUserName',
];

const SEARCHES = ['refund', 'refund my', '"my refund"', 'refund -order', 'pleas*', 'monday OR that', 'user', 'nowhere'];

async function fill(): Promise<void> {
  for (let number = 1; number <= 16; number++) {
    const filling = Array.from({ length: number === 5 ? 1500 : 3 }, (_, at) => `filling${at * 7919}of${number}`).join(
      ' ',
    );
    const attributes = { 'input.value': TEXTS[number % 4] ?? '', 'output.value': filling };
    await store.send([
      { traceId: traceId(1 + (number % 3)), spanId: spanId(number), name: `span${number}`, attributes },
    ]);
    if (number % 4 === 0) await store.index();
  }
}

async function findAll(): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (const text of [...SEARCHES, 'filling7919of5', 'filling237570*']) found.push(await store.find(text));
  return found;
}

it('searches find what they found, and the index is made again', { timeout: 60_000 }, async () => {
  await fill();
  const expected = await findAll();
  expect(expected.map((found) => found.length)).toEqual([8, 4, 4, 4, 4, 8, 4, 0, 1, 1]);
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  const choose = randomNumbers(7);
  for (let run = 0; run < runsOf(20); run++) {
    await replaceWords(store, flipWords(await readWords(store), choose));
    expect(await findAll()).toEqual(expected);
    // A read that finds the damage suspects the part, and an administrator may.
    const parts = new Set(noted.map(({ part }) => part));
    if (run % 2 === 0) for (const part of parts) await suspectPart(store.db, part as number);
    else await startSearchRebuild(store.db);
    await store.index();
    noted.length = 0;
    if (run % 2 === 1 || parts.size > 0) {
      expect(await findAll()).toEqual(expected);
      for (const part of [0, 1]) expect((await verifyPart(store.scope, part)).damaged).toEqual([]);
      expect(noted).toEqual([]);
    }
    expect(await store.rows('SELECT * FROM search_suspect_parts')).toEqual([]);
  }
});

it('texts of a segment that is lost are indexed again', async () => {
  await fill();
  const expected = await findAll();
  await store.exec(
    'DELETE FROM search_segments WHERE number = (SELECT min(number) FROM search_segments WHERE part = 1)',
  );
  expect(await findAll()).not.toEqual(expected);
  await suspectPart(store.db, 1);
  await store.index();
  expect(await findAll()).toEqual(expected);
  expect(await store.rows('SELECT DISTINCT number FROM search_leaves')).toHaveLength(
    (await store.rows('SELECT number FROM search_segments')).length,
  );
});

it('a damaged segment whose texts are all gone is dropped, and what was deleted with it', async () => {
  await fill();
  await store.exec('UPDATE search_segments SET size = size + 1');
  await store.exec('DELETE FROM spans');
  await store.index();
  await startSearchRebuild(store.db);
  await store.index();
  for (const table of ['search_segments', 'search_leaves', 'search_spans', 'search_suspect_parts'])
    expect(await store.rows(`SELECT * FROM ${table}`)).toEqual([]);
});
