import type { SearchTerm } from '#derive/search/query';
import { findParts, hasWholeWords } from '../words/find-texts.ts';
import type { WordScope } from '../words/read-lists.ts';

/** The parts that may hold a term, read as they are asked for, from the last ones downwards. */
export class TermParts {
  readonly #scope: WordScope;
  readonly #term: SearchTerm;
  readonly #isLookedUp: boolean;
  readonly #found: number[] = [];
  #lookedDownTo: number | undefined;
  /** Of a rare word many are soon asked for. */
  #count = 1;

  constructor(scope: WordScope, term: SearchTerm) {
    this.#scope = scope;
    this.#term = term;
    this.#isLookedUp = hasWholeWords(term);
  }

  /** The last one up to a part; -1 for none. It is asked for ever earlier ones. */
  async last(upTo: number): Promise<number> {
    if (!this.#isLookedUp) return upTo;
    for (;;) {
      const found = this.#found.find((part) => part <= upTo);
      if (found !== undefined) return found;
      const last = Math.min(upTo, (this.#lookedDownTo ?? upTo + 1) - 1);
      if (last < 0) return -1;
      const first = Math.max(0, last - this.#count + 1);
      this.#found.push(...(await findParts(this.#scope, this.#term, { first, last })));
      this.#lookedDownTo = first;
      this.#count = Math.min(this.#count * GROWTH, MAX_COUNT);
    }
  }
}

const GROWTH = 4;
const MAX_COUNT = 64;
