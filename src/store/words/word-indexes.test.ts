/** The indexes of words of both engines give the same answers. */
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import type { SearchTerm } from '#derive/search/query';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { openPostgresTestEngine } from '../engine/open-postgres-test-engine.fixture.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import type { Tables } from '../schema/tables.ts';
import { textsOfPart } from './text-ids.ts';
import type { IndexEntry, WordIndex } from './word-index.ts';

const WORDS = ['a', 'ab', 'abc', 'b', 'ba', 'ä', '漢字', '7', 'x'.repeat(64)];
const PARTS = [0, 1, 2, 70, 40_000];

/** Short texts, and long ones that repeat words more often than one row of a text may hold them. */
const words = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }), fc.integer({ min: 100, max: 600 }))
      .map(([unit, times]) => Array.from({ length: times }, () => unit).flat()),
  },
);

const text = fc.record({
  part: fc.constantFrom(...PARTS),
  place: fc.integer({ min: 0, max: 50 }),
  words,
  parts: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
});

const term: fc.Arbitrary<SearchTerm> = fc.record({
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  isPrefix: fc.boolean(),
  parts: fc.option(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })),
});

/** Words that stand in it once each, and between them one that stands there often. */
const LONG = Array.from({ length: 20_000 }, (_, place) => (place % 3 === 0 ? 'often' : `w${place}`));

describePostgres('indexes of words', () => {
  it('find the same texts', async () => {
    const engines = [await openSqliteTestEngine(), await openPostgresTestEngine()];
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(text, { maxLength: 12 }),
          fc.array(term, { minLength: 1, maxLength: 6 }),
          async (texts, terms) => {
            const entries = new Map<number, IndexEntry>();
            for (const { part, place, ...one } of texts) {
              const id = textsOfPart(part).first + place;
              entries.set(id, { id, words: one.words.join(' '), parts: one.parts.join(' ') });
            }
            const ids = [...entries.keys()];
            const [gone, upTo = 10, limit] = [ids.slice(0, 2), ids.at(-1), 3];
            const answers = [];
            for (const { db, dialect, run } of engines) {
              const index = dialect.words;
              await index.add(run, [...entries.values()]);
              await index.remove(run, gone);
              await index.tidy(run, ids.length);
              const found = [];
              for (const one of terms) {
                for (const part of PARTS) found.push(await index.findTexts(db, one, textsOfPart(part)));
                found.push(await index.findTexts(db, one, { first: upTo - 20, last: upTo + 3 }));
                found.push(
                  await index.findLastTexts(db, one, upTo, limit),
                  await index.findLastTexts(db, one, 2 ** 45, 1000),
                );
                found.push(await allParts(index, db, one));
                const ofAny = await index.findTextsOfAny(db, one.words, textsOfPart(0), 100);
                found.push(ofAny.toSorted((a, b) => a - b));
                found.push((await index.findTextsOfAny(db, one.words, textsOfPart(0), 2)).length);
              }
              answers.push({
                found,
                lengths: new Map([...(await index.readLengths(db, ids))].sort(([a], [b]) => a - b)),
              });
              await index.remove(run, ids);
            }
            expect(answers[1]).toEqual(answers[0]);
          },
        ),
        { numRuns: 150 },
      );
    } finally {
      for (const engine of engines) await engine.close();
    }
  });

  it('find phrases wherever they stand in a long text', async () => {
    const engine = await openPostgresTestEngine();
    const { db, dialect, run } = engine;
    try {
      await dialect.words.add(run, [{ id: 7, words: LONG.join(' '), parts: LONG.join(' ') }]);
      const missed: number[] = [];
      // A text has a row for some 760 words of these, which begins and ends at odd places.
      for (let start = 0; start + 64 <= LONG.length; start += 61) {
        const phrase = { words: LONG.slice(start, start + 64), isPrefix: false, parts: null };
        if ((await dialect.words.findTexts(db, phrase, textsOfPart(0))).length === 0) missed.push(start);
      }
      expect(missed).toEqual([]);
    } finally {
      await engine.close();
    }
  });
});

/** All parts that hold the term, descending, from one to the next as a search goes. */
async function allParts(index: WordIndex, db: Kysely<Tables>, term: SearchTerm): Promise<readonly number[]> {
  const found: number[] = [];
  for (let [from, count] = [PARTS.at(-1) ?? 0, 1]; from >= 0; count *= 4) {
    const { parts, lookedDownTo } = await index.findLastParts(db, term, from, count);
    found.push(...parts);
    from = lookedDownTo - 1;
  }
  return found;
}
