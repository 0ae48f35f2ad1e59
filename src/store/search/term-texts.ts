import type { SearchTerm } from '#derive/search/query';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { type IdRange, partOfText, textsOfPart } from '../words/text-ids.ts';
import type { LastParts } from '../words/word-index.ts';

/** The texts that hold one term, read as they are asked for, from the last ones downwards. */
export interface TermTexts {
  /** The last part up to one that has any of them; -1 for none. */
  lastPart(upTo: number): Promise<number>;
  /** All of them in a range, by their places after its first. */
  within(range: IdRange): Promise<readonly number[]>;
}

/** Of a whole word or phrase, which an index leads to directly; of the beginning of a word, for which many are put together. */
export function termTexts(scope: Pick<ReadScope, 'db' | 'dialect'>, term: SearchTerm): TermTexts {
  return term.isPrefix ? new PrefixTexts(scope, term) : new WordTexts(scope, term);
}

class WordTexts implements TermTexts {
  readonly #scope: Pick<ReadScope, 'db' | 'dialect'>;
  readonly #term: SearchTerm;
  /** What was looked at last. */
  #known: LastParts & { readonly upTo: number } = { upTo: -1, parts: [], lookedDownTo: 0 };
  /** A common word is in the first part that is looked at; of a rare one many are soon asked for. */
  #count = 1;

  constructor(scope: Pick<ReadScope, 'db' | 'dialect'>, term: SearchTerm) {
    this.#scope = scope;
    this.#term = term;
  }

  async lastPart(upTo: number): Promise<number> {
    for (let from = upTo; from >= 0; from = this.#known.lookedDownTo - 1) {
      if (from > this.#known.upTo || from < this.#known.lookedDownTo) {
        const { db, dialect } = this.#scope;
        this.#known = { upTo: from, ...(await dialect.words.findLastParts(db, this.#term, from, this.#count)) };
        this.#count *= PARTS_GROWTH;
      }
      const part = this.#known.parts.find((one) => one <= from);
      if (part !== undefined) return part;
    }
    return -1;
  }

  within(range: IdRange): Promise<readonly number[]> {
    return this.#scope.dialect.words.findTexts(this.#scope.db, this.#term, range);
  }
}

const PARTS_GROWTH = 4;

/** Putting words together costs the same for few texts and for many, so many are asked for at once. */
class PrefixTexts implements TermTexts {
  readonly #scope: Pick<ReadScope, 'db' | 'dialect'>;
  readonly #term: SearchTerm;
  /** Ascending, all from the first id on. */
  #ids: readonly number[] = [];
  #from = Number.MAX_SAFE_INTEGER;

  constructor(scope: Pick<ReadScope, 'db' | 'dialect'>, term: SearchTerm) {
    this.#scope = scope;
    this.#term = term;
  }

  async lastPart(upTo: number): Promise<number> {
    const { last } = textsOfPart(upTo);
    while (this.#placeAfter(last) === 0 && this.#from > 0) await this.#readMore();
    const id = this.#ids[this.#placeAfter(last) - 1];
    return id === undefined ? -1 : partOfText(id);
  }

  async within({ first, last }: IdRange): Promise<readonly number[]> {
    while (this.#from > first) await this.#readMore();
    const ids = this.#ids.slice(this.#placeAfter(first - 1), this.#placeAfter(last));
    return ids.map((id) => id - first);
  }

  async #readMore(): Promise<void> {
    const ids = await this.#scope.dialect.words.findLastTexts(
      this.#scope.db,
      this.#term,
      this.#from - 1,
      TEXTS_AT_ONCE,
    );
    const [first] = ids;
    this.#from = first === undefined || ids.length < TEXTS_AT_ONCE ? 0 : first;
    this.#ids = [...ids, ...this.#ids];
  }

  /** How many ids are not beyond this one. */
  #placeAfter(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] as number) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const TEXTS_AT_ONCE = 100_000;
