/** The index of words says of a term what the texts themselves say, whatever came, went and was merged. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findOccurrences } from '#derive/search/match';
import type { SearchTerm } from '#derive/search/query';
import { tokenize } from '#derive/search/tokenizer';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { openTestWriter, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { findParts, findTexts, findTextsFrom, findTextsOfAny, hasWholeWords, readLengths } from './find-texts.ts';
import { planErasure, planSegments, type SegmentChange } from './segment-changes.ts';
import { buildSegment } from './segment.ts';
import { storeSegments } from './store-segments.ts';
import { textsOfPart } from './text-ids.ts';

let store: TestWriter;

beforeAll(async () => {
  store = await openTestWriter();
});

afterAll(() => store.close());

const WORDS = ['a', 'ab', 'abc', 'b', 'getUser', 'order7', 'é', '東京都', '7', 'x'.repeat(70), '𝒜𝒷', 'ﷺ'];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));

/** As many as fill leaves now and then: words that no other text has. */
const filling = fc
  .nat(400)
  .map((count) => Array.from({ length: count }, (_, at) => `filling${at * 7}of${count}`).join(' '));

const change = fc.record({
  added: fc.array(fc.tuple(fc.nat(60), fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: filling })), {
    maxLength: 6,
  }),
  removed: fc.array(fc.nat(60), { maxLength: 10 }),
  mayMerge: fc.boolean(),
  isClosed: fc.boolean(),
});

const term: fc.Arbitrary<SearchTerm> = fc
  .record({
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
    isPrefix: fc.boolean(),
    isCompound: fc.boolean(),
  })
  .map(({ words, isPrefix, isCompound }) => {
    const tokens = tokenize(words.join(' '));
    const isOne = tokens.words.length === 1 && tokens.parts.length > 1 && isCompound && !isPrefix;
    return {
      words: tokens.words.map((word) => word.text),
      isPrefix,
      parts: isOne ? tokens.parts.map((part) => part.text) : null,
    };
  });

const PART = 3;

let made = 0;

/** The number of the next segment. */
function next(): number {
  return ++made;
}

it('finds every text that holds a term, and calls certain none that does not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 12 }),
      fc.array(term, { minLength: 1, maxLength: 4 }),
      async (changes, terms) => {
        // What a run that failed left.
        await store.exec('DELETE FROM search_leaves');
        await store.exec('DELETE FROM search_segments');
        const texts = new Map<number, string>();
        for (const { added, removed, ...how } of changes) {
          const gone = new Set([...removed, ...added.map(([offset]) => offset)]);
          for (const offset of gone) texts.delete(offset);
          const fresh = new Map(added);
          for (const [offset, one] of fresh) texts.set(offset, one);
          const list = [...fresh].map(([offset, one]) => ({ offset, text: one })).sort((a, b) => a.offset - b.offset);
          await apply(await planSegments(store, { part: PART, number: next(), added: list, removed: gone, ...how }));
        }
        for (const one of terms) await expectFound(one, texts);
        await apply(
          await planSegments(store, {
            part: PART,
            number: next(),
            added: [],
            removed: new Set(texts.keys()),
            mayMerge: false,
            isClosed: false,
          }),
        );
        expect(await store.rows('SELECT part FROM search_segments')).toEqual([]);
        expect(await store.rows('SELECT part FROM search_leaves')).toEqual([]);
      },
    ),
    { numRuns: runsOf(60) },
  );
});

it('erases the words of removed texts after a while', async () => {
  const texts = ['secret', 'open', 'ajar'].map((one, offset) => ({ offset, text: one }));
  const how = { part: PART, mayMerge: true, isClosed: false };
  await apply(await planSegments(store, { ...how, number: next(), added: texts, removed: new Set() }));
  await apply(await planSegments(store, { ...how, number: next(), added: [], removed: new Set([0]) }));
  const holds = async (word: string) =>
    (await store.db.selectFrom('search_leaves').select('lists').execute()).some(({ lists }) =>
      Buffer.from(lists).includes(word),
    );
  expect(await holds('secret')).toBe(true);
  expect(await planErasure(store, next())).toBeUndefined();
  await store.exec('UPDATE search_segments SET removed_ms = removed_ms - 3600000');
  await apply(await planErasure(store, next()));
  expect([await holds('secret'), await holds('open')]).toEqual([false, true]);
  expect(await planErasure(store, next())).toBeUndefined();
  await apply(await planSegments(store, { ...how, number: next(), added: [], removed: new Set([1, 2]) }));
});

it('finds what is merged while lists are read', async () => {
  const how = { part: PART, removed: new Set<number>(), isClosed: false };
  for (const offset of [0, 1]) {
    const added = [{ offset, text: 'alpha betamax' }];
    await apply(await planSegments(store, { ...how, number: next(), added, mayMerge: false }));
  }
  let isMerged = false;
  const db = store.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isMerged) {
        isMerged = true;
        await apply(await planSegments(store, { ...how, number: next(), added: [], mayMerge: true, isClosed: true }));
      }
      return result;
    },
  });
  const phrase = { words: ['alpha', 'beta'], isPrefix: true, parts: null };
  expect((await findTexts({ ...store, db }, phrase, PART))?.possible).toEqual(Int32Array.of(0, 1));
  await apply(
    await planSegments(store, { ...how, number: next(), added: [], removed: new Set([0, 1]), mayMerge: false }),
  );
});

it('does not tell of lists that are merged faster than they are read', async () => {
  const how = { part: PART, removed: new Set<number>(), isClosed: true };
  const merge = async () => {
    for (const mayMerge of [false, true]) {
      const added = [{ offset: made, text: 'alpha betamax' }];
      await apply(await planSegments(store, { ...how, number: next(), added, mayMerge }));
    }
  };
  await merge();
  const db = store.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await merge();
      return result;
    },
  });
  expect(await findTexts({ ...store, db }, { words: ['alpha'], isPrefix: false, parts: null }, PART)).toBeNull();
});

it('takes as long for words that a sender chose to be alike as for others', () => {
  // "ao" and "c1" are alike to a sum in which each letter counts 31 times the one after it.
  const wordOf = (number: number, [one, other]: readonly [string, string]) =>
    Array.from({ length: 13 }, (_, place) => ((number >> place) % 2 === 0 ? one : other)).join('');
  const build = (pairs: readonly [string, string]) => {
    const text = Array.from({ length: 8192 }, (_, number) => wordOf(number, pairs)).join(' ');
    const before = process.threadCpuUsage();
    buildSegment([{ offset: 0, text }]);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  build(['ao', 'b7']);
  expect(build(['ao', 'c1'])).toBeLessThan(8 * build(['ao', 'b7']));
});

async function apply(planned: SegmentChange | undefined): Promise<void> {
  if (planned === undefined) return;
  await store.writer.change((scope) => storeSegments(scope, planned));
}

async function expectFound(one: SearchTerm, texts: ReadonlyMap<number, string>): Promise<void> {
  const holders = [...texts].filter(([, held]) => findOccurrences(held, [one], 1).length > 0).map(([offset]) => offset);
  const found = await findTexts(store, one, PART);
  if (found === null) return expect.unreachable();
  const both = new Set([...found.certain, ...found.possible]);
  expect(both.size).toBe(found.certain.length + found.possible.length);
  expect([...both]).toEqual(expect.arrayContaining(holders));
  expect(holders).toEqual(expect.arrayContaining([...found.certain]));
  if (one.words.length === 1 && one.parts === null) expect(found.possible).toHaveLength(0);
  const parts = await findParts(store, one, { first: 0, last: PART + 5 });
  if (holders.length > 0 && hasWholeWords(one)) expect(parts).toEqual([PART]);
  const wordsOf = (held: string) => tokenize(held).words.map((word) => word.text);
  const [word = ''] = one.words;
  const ofAny = [...texts].filter(([, held]) => wordsOf(held).some((held1) => one.words.includes(held1)));
  expect(await findTextsOfAny(store, one.words, PART, 1000)).toEqual(sorted(ofAny));
  const from = [...texts].filter(([, held]) => wordsOf(held).some((held1) => held1.startsWith(word)));
  expect(await findTextsFrom(store, word, PART, 1000)).toEqual(sorted(from));
  expect(await findTextsFrom(store, word, PART, from.length - 1)).toEqual(null);
  const { first } = textsOfPart(PART);
  const lengths = await readLengths(
    store,
    [...texts.keys()].map((offset) => first + offset),
  );
  for (const [offset, held] of texts) {
    const length = wordsOf(held).length;
    expect(Math.abs((lengths.get(first + offset) ?? -1) - length)).toBeLessThanOrEqual(length * 0.025);
  }
}

function sorted(entries: readonly (readonly [number, string])[]): readonly number[] {
  return entries.map(([offset]) => offset).sort((a, b) => a - b);
}
