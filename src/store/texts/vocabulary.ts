/** The distinct words of a part, for tests of words that lists cannot be looked up for: how they end, and what they hold. */
import { readAllCompressed } from '#base/read-compressed';
import { Semaphore } from '#base/semaphore';
import type { WordTest } from '#derive/search/word-tests';
import { unlessDamaged } from '../words/damaged-words.ts';
import { openVocabulary, VOCABULARY } from '../words/sealed-segments.ts';
import type { TextScope } from './held-rows.ts';

/** A test that says how a word ends, or what it holds. */
export type WordPartTest = WordTest & { readonly as: 'end' | 'inside' };

/**
 * The words of a part that pass a test, each once; `null` where these are more than so many, or cannot be told because one of the lists is
 * damaged. Few look at a time, and nothing is kept: tens of questions may look into the same part. Index: the primary key.
 */
export function findWords(
  { db }: TextScope,
  part: number,
  test: WordPartTest,
  limit: number,
): Promise<readonly string[] | null> {
  const find = async () => {
    const rows = await db.selectFrom('search_segments').select(VOCABULARY).where('part', '=', part).execute();
    const packed = rows.map((row) => ({ frame: openVocabulary(row), size: row.vocabulary_size }));
    return readAllCompressed(packed, (lists) => findIn(lists, test, limit));
  };
  return looking.run(() => unlessDamaged(find, null));
}

/** In this thread: one is decompressed while another is searched. */
const looking = new Semaphore(2);

function findIn(lists: readonly Buffer[], { text, as }: WordPartTest, limit: number): readonly string[] | null {
  const found = new Set<string>();
  for (const list of lists) {
    for (const word of wordsWith(list, text, as)) {
      found.add(word);
      if (found.size > limit) return null;
    }
  }
  return [...found];
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
