/** Damaged segments are noticed wherever they are read, and stand in the way of nothing else. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { randomNumbers } from '../../../test/traffic/random.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestWriter, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { findWords } from '../texts/vocabulary.ts';
import { findParts, findTexts, findTextsFrom, findTextsOfAny, readLengths } from './find-texts.ts';
import { flipWords, readWords, replaceWords } from './flip-words.fixture.ts';
import { verifyPart } from './read-segment.ts';
import { planErasure, planSegments } from './segment-changes.ts';
import { storeSegments } from './store-segments.ts';
import { textsOfPart } from './text-ids.ts';

let store: TestWriter;

beforeEach(async () => {
  store = await openTestWriter();
});

afterEach(() => store.close());

const PART = 2;
const OPEN = { part: PART, mayMerge: false, isClosed: false, removed: new Set<number>() };
const IDS = [3, 9, 12].map((offset) => textsOfPart(PART).first + offset);

/** More than a leaf of words. */
const MANY = Array.from({ length: 1500 }, (_, at) => `word${at * 7919}of${at}`).join(' ');

async function change(number: number, added: readonly string[], removed: readonly number[] = []): Promise<void> {
  const texts = added.map((text, at) => ({ offset: number * 3 + at, text }));
  const planned = await planSegments(store, { ...OPEN, number, added: texts, removed: new Set(removed) });
  if (planned !== undefined) await store.writer.change((scope) => storeSegments(scope, planned));
}

/** Of each kind of reading; where the index cannot tell, it says `null`. */
const READS: readonly (() => Promise<unknown>)[] = [
  () => findTexts(store, { words: ['alpha'], isPrefix: false, parts: null }, PART),
  () => findTexts(store, { words: ['alpha', 'be'], isPrefix: true, parts: null }, PART),
  () => findTexts(store, { words: ['word7919of1'], isPrefix: false, parts: null }, PART),
  () => findTexts(store, { words: ['nowhere'], isPrefix: false, parts: null }, PART),
  () => findTextsOfAny(store, ['omega', 'beta'], PART, 1000),
  () => findTextsFrom(store, 'al', PART, 1000),
  () => findTextsFrom(store, 'word5', PART, 1000),
  () => findWords(store, PART, { text: 'pine', as: 'end' }, 10),
];

it('each reading tells the truth or that it cannot tell, whichever bit is flipped', { timeout: 60_000 }, async () => {
  await change(1, ['alpha alpine beta getUser', MANY]);
  await change(3, ['alpha omega', 'to be removed, alpha']);
  await change(4, ['alpha gamma']);
  await change(5, [], [10]);
  const whole = await readWords(store);
  expect(whole.leaves.length).toBeGreaterThan(whole.segments.length);
  const truth = await Promise.all(READS.map((read) => read()));
  const lengths = await readLengths(store, IDS);
  expect([truth[2], truth[3]]).toEqual([
    { certain: Int32Array.of(4), possible: new Int32Array(0) },
    { certain: new Int32Array(0), possible: new Int32Array(0) },
  ]);
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  const choose = randomNumbers(20_261_126);
  let unknownCount = 0;
  for (let run = 0; run < runsOf(100); run++) {
    noted.length = 0;
    await replaceWords(store, flipWords(whole, choose));
    const { damaged } = await verifyPart(store, PART);
    expect(damaged).toHaveLength(1);
    expect(noted).toMatchObject([{ kind: 'search_words', part: PART }]);
    for (const [at, read] of READS.entries()) {
      const told = await read();
      if (told === null) unknownCount++;
      else expect(told).toEqual(truth[at]);
    }
    expect(
      await findParts(store, { words: ['alpha'], isPrefix: false, parts: null }, { first: 0, last: PART }),
    ).toContain(PART);
    for (const [id, length] of await readLengths(store, IDS)) expect(length).toBe(lengths.get(id));
    // What arrives is indexed all the same, and what is whole is merged and erased.
    await planErasure(store, 6);
    const closed = { ...OPEN, mayMerge: true, isClosed: true, number: 6, added: [{ offset: 15, text: 'new' }] };
    const planned = await planSegments(store, { ...closed, removed: new Set([9]) });
    expect(planned?.added).toBeDefined();
    expect(planned?.dropped).toEqual(expect.arrayContaining([1, 3, 4].filter((number) => !damaged.includes(number))));
  }
  expect(unknownCount).toBeGreaterThan(runsOf(25));
});
