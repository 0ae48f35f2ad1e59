/** The distinct words of a part, for tests of words that lists cannot be looked up for: how they end, and what they hold. */
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { WordTest } from '#derive/search/word-tests';
import { noteDamage } from '../engine/damage.ts';
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
    const rows = await db
      .selectFrom('search_segments')
      .select(['number', 'vocabulary_size', 'vocabulary'])
      .where('part', '=', part)
      .execute();
    const lists: Buffer[] = [];
    for (const { number, vocabulary_size: maxOutputLength, vocabulary } of rows) {
      const list = await decompress(vocabulary, { maxOutputLength }).catch(() => undefined);
      if (list?.length !== maxOutputLength) {
        const message = `The words of part ${part} of the search index are damaged (segment ${number}, ${vocabulary.length} bytes); filters read originals instead.`;
        noteDamage({ kind: 'search_words', message, spans: [] });
        return new Vocabulary(null);
      }
      lists.push(list);
    }
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
