import type { SearchTerm } from '#derive/search/query';
import type { ReadScope } from '../spans/relational/read-scope.ts';
import type { IdRange } from './text-ids.ts';

/** The texts that hold one term, read as they are asked for, from the last ones downwards. */
export interface TermTexts {
  /** The last of them up to an id; `undefined` where there is none. */
  last(upTo: number): Promise<number | undefined>;
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
  /** The answer for an id is that for every id down to it. */
  #known: { readonly upTo: number; readonly last: number | undefined } | undefined;

  constructor(scope: Pick<ReadScope, 'db' | 'dialect'>, term: SearchTerm) {
    this.#scope = scope;
    this.#term = term;
  }

  async last(upTo: number): Promise<number | undefined> {
    const known = this.#known;
    if (known !== undefined && upTo <= known.upTo && (known.last ?? 0) <= upTo) return known.last;
    const [last] = await this.#scope.dialect.words.findLastTexts(this.#scope.db, this.#term, upTo, 1);
    this.#known = { upTo, last };
    return last;
  }

  within(range: IdRange): Promise<readonly number[]> {
    return this.#scope.dialect.words.findTexts(this.#scope.db, this.#term, range);
  }
}

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

  async last(upTo: number): Promise<number | undefined> {
    for (;;) {
      const place = this.#placeAfter(upTo);
      if (place > 0 || this.#from === 0) return this.#ids[place - 1];
      await this.#readMore();
    }
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
