/** The distinct words of a part, for tests of words that lists cannot be looked up for: how they end, and what they hold. */
import { readCompressed } from '#base/read-compressed';
import { releaseBuffer } from '#base/release-buffer';
import type { WordTest } from '#derive/search/word-tests';
import { unlessDamaged } from '../words/damaged-words.ts';
import { openVocabulary, VOCABULARY } from '../words/sealed-segments.ts';
import type { TextScope } from './held-rows.ts';

/** A test that says how a word ends, or what it holds. */
export type WordPartTest = WordTest & { readonly as: 'end' | 'inside' };

/**
 * The words of a part that pass a test, each once; `null` where these are more than so many, or cannot be told because one of the lists is
 * damaged. One list is decompressed at a time, and nothing is kept: tens of questions may look into the same part. Index: the primary key.
 */
export function findWords(
  { db }: TextScope,
  part: number,
  test: WordPartTest,
  limit: number,
): Promise<readonly string[] | null> {
  return unlessDamaged(async () => {
    const rows = await db.selectFrom('search_segments').select(VOCABULARY).where('part', '=', part).execute();
    const found = new Set<string>();
    for (const row of rows) {
      readCompressed(openVocabulary(row), row.vocabulary_size, (list) => addWords(found, list, test, limit));
      releaseBuffer(row.vocabulary);
      if (found.size > limit) return null;
    }
    return [...found];
  }, null);
}

/** Adds those of one list, up to one more than so many. */
function addWords(found: Set<string>, list: Buffer, { text, as }: WordPartTest, limit: number): void {
  for (const word of wordsWith(list, text, as)) {
    if (found.size > limit) return;
    found.add(word);
  }
}

/** Words that hold the text, or end with it. */
function* wordsWith(list: Buffer, text: string, as: 'end' | 'inside'): Generator<string> {
  const wanted = Buffer.from(as === 'end' ? `${text}\n` : text);
  for (let at = list.indexOf(wanted); at !== -1; ) {
    const end = list.indexOf(LINE_END, at);
    yield list.toString('utf8', list.lastIndexOf(LINE_END, at) + 1, end);
    at = list.indexOf(wanted, end);
  }
}

const LINE_END = 0x0a;
