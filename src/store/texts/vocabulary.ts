/** The distinct words of a part, for tests of words that lists cannot be looked up for: how they end, and what they hold. */
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { WordTest } from '#derive/search/word-tests';
import { unlessDamaged } from '../words/damaged-words.ts';
import { openVocabulary, VOCABULARY } from '../words/sealed-segments.ts';
import type { TextScope } from './held-rows.ts';

/** A test that says how a word ends, or what it holds. */
export type WordPartTest = WordTest & { readonly as: 'end' | 'inside' };

/** The words of a part. */
export class Vocabulary {
  /** `null` where one of them is damaged. */
  readonly #lists: readonly Buffer[] | null;

  private constructor(lists: readonly Buffer[] | null) {
    this.#lists = lists;
  }

  /** Index: the primary key. */
  static async read({ db }: TextScope, part: number): Promise<Vocabulary> {
    const lists = await unlessDamaged(async () => {
      const rows = await db.selectFrom('search_segments').select(VOCABULARY).where('part', '=', part).execute();
      const packed = rows.map((row) => ({ size: row.vocabulary_size, words: openVocabulary(row) }));
      return Promise.all(packed.map(({ size, words }) => decompress(words, { maxOutputLength: size })));
    }, null);
    return new Vocabulary(lists);
  }

  /** The words that pass a test, each once; `null` where these are more than so many, or cannot be told. */
  find({ text, as }: WordPartTest, limit: number): readonly string[] | null {
    if (this.#lists === null) return null;
    const found = new Set<string>();
    for (const list of this.#lists) {
      for (const word of wordsWith(list, text, as)) {
        found.add(word);
        if (found.size > limit) return null;
      }
    }
    return [...found];
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

const decompress = promisify(zstdDecompress);
