/** Finds the spans of a part whose words pass tests. */
import type { PlaceBits } from '#derive/search/scope';
import type { WordTest } from '#derive/search/word-tests';
import { type TextScope, readTraceRows, tracesOf } from './held-rows.ts';
import { visitHeld } from './span-texts.ts';
import { spanOfText, spansOfPart, textsOfPart } from '../words/text-ids.ts';
import { Vocabulary } from './vocabulary.ts';

/** Row ids of spans, in no order; or that the tests leave too many open to be told apart from all. */
export type Holders = readonly number[] | 'all';

/** The spans of a part that have, in the places, texts whose words together pass all tests of one of the alternatives. */
export async function findHolders(
  scope: TextScope,
  part: number,
  alternatives: readonly (readonly WordTest[])[],
  places: PlaceBits,
): Promise<Holders> {
  const vocabulary = await Vocabulary.read(scope, part);
  const found = new Set<number>();
  for (const tests of alternatives) {
    const holders = await findHoldersOfAll(scope, part, { tests, places, vocabulary });
    if (holders === 'all') return 'all';
    for (const rowId of holders) found.add(rowId);
  }
  return [...found];
}

interface TestedWords {
  readonly tests: readonly WordTest[];
  readonly places: PlaceBits;
  readonly vocabulary: Vocabulary;
}

async function findHoldersOfAll(
  scope: TextScope,
  part: number,
  { tests, places, vocabulary }: TestedWords,
): Promise<Holders> {
  const found = tests.map((test) => vocabulary.find(test, MAX_WORDS));
  if (found.some((words) => words?.length === 0)) return [];
  const range = textsOfPart(part);
  const textsByTest: (readonly number[])[] = [];
  for (const words of found) {
    if (words === null) continue;
    const texts = await scope.dialect.words.findTextsOfAny(scope.db, words, range, MAX_TEXTS + 1);
    if (texts.length === 0) return [];
    if (texts.length <= MAX_TEXTS) textsByTest.push(texts);
  }
  const [fewest] = textsByTest.toSorted((a, b) => a.length - b.length);
  if (fewest === undefined) return 'all';
  const testsOfText = new Map<number, number>();
  for (const [test, texts] of textsByTest.entries())
    for (const text of texts) testsOfText.set(text, (testsOfText.get(text) ?? 0) | (1 << test));
  const firstHolders = new Set(fewest.map((text) => spanOfText(range.first + text)));
  const rows = await readTraceRows(scope, await tracesOf(scope, [...firstHolders]), spansOfPart(part));
  const all = (1 << textsByTest.length) - 1;
  return rows
    .filter(({ held }) => {
      let passed = 0;
      visitHeld(held, (text, placesOfText) => {
        if ((placesOfText & places) !== 0) passed |= testsOfText.get(text) ?? 0;
      });
      return passed === all;
    })
    .map((row) => row.span_row_id);
}

/** Words that one test is asked for. Of more, and of words in more texts, as many spans are read as without the index. */
const MAX_WORDS = 256;
const MAX_TEXTS = 2048;
