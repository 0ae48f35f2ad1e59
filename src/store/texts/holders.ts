/** Finds the spans of a part whose words pass tests. */
import type { PlaceBits } from '#derive/search/scope';
import type { WordTest } from '#derive/search/word-tests';
import { type TextScope, readTraceRows, tracesOf } from './held-rows.ts';
import { visitHeld } from './span-texts.ts';
import { spanOfText, spansOfPart, textsOfPart } from '../words/text-ids.ts';
import { findTextsFrom, findTextsOfAny } from '../words/find-texts.ts';
import { findWords } from './vocabulary.ts';

/** Row ids of spans, in no order; or that the tests leave too many open to be told apart from all. */
export type Holders = readonly number[] | 'all';

/** The spans of a part that have, in the places, texts whose words together pass all tests of one of the alternatives. */
export async function findHolders(
  scope: TextScope,
  part: number,
  alternatives: readonly (readonly WordTest[])[],
  places: PlaceBits,
): Promise<Holders> {
  const found = new Set<number>();
  for (const tests of alternatives) {
    const holders = await findHoldersOfAll(scope, part, tests, places);
    if (holders === 'all') return 'all';
    for (const rowId of holders) found.add(rowId);
  }
  return [...found];
}

/** Whether the index is looked up for the words that pass the test: for one word, or those with a beginning. */
function isOfIndex({ as }: WordTest): boolean {
  return as === 'word' || as === 'beginning';
}

/** The texts of a part with a word that passes the test; `null` where these are too many. */
async function findTexts(scope: TextScope, part: number, { as, text }: WordTest): Promise<readonly number[] | null> {
  if (as === 'beginning') return findTextsFrom(scope, text, part, MAX_TEXTS);
  const words = as === 'word' ? [text] : await findWords(scope, part, { text, as }, MAX_WORDS);
  return words === null ? null : findTextsOfAny(scope, words, part, MAX_TEXTS);
}

async function findHoldersOfAll(
  scope: TextScope,
  part: number,
  tests: readonly WordTest[],
  places: PlaceBits,
): Promise<Holders> {
  const textsByTest: (readonly number[])[] = [];
  let fewest: readonly number[] | undefined;
  for (const test of tests.toSorted((a, b) => Number(isOfIndex(b)) - Number(isOfIndex(a)))) {
    if (fewest !== undefined && fewest.length <= FEW_TEXTS && !isOfIndex(test)) break;
    const texts = await findTexts(scope, part, test);
    if (texts === null) continue;
    if (texts.length === 0) return [];
    textsByTest.push(texts);
    if (fewest === undefined || texts.length < fewest.length) fewest = texts;
  }
  if (fewest === undefined) return 'all';
  const testsOfText = new Map<number, number>();
  for (const [test, texts] of textsByTest.entries())
    for (const text of texts) testsOfText.set(text, (testsOfText.get(text) ?? 0) | (1 << test));
  const range = textsOfPart(part);
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

/** So many originals are read in the time that a vocabulary takes. */
const FEW_TEXTS = 16;
