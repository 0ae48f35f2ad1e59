/** The parts of the index in which a test of words may pass, as far as it tells without their vocabularies. */
import type { WordTest } from '#derive/search/word-tests';
import type { TextScope } from './held-rows.ts';
import { findParts } from '../words/find-texts.ts';

/** Finds the parts from the last one down, as far as they are asked for. */
export class PartsWithWords {
  readonly #scope: TextScope;
  /** Of each alternative the test that is asked for; `undefined` where the index tells nothing of it. */
  readonly #alternatives: readonly (PartsOfTest | undefined)[];

  /** @param lastPart no later one is asked for */
  constructor(scope: TextScope, anyOf: readonly (readonly WordTest[])[], lastPart: number) {
    this.#scope = scope;
    this.#alternatives = anyOf.map((tests) => {
      const test = tests.find(({ as }) => as === 'word');
      return test && { word: test.text, found: new Set<number>(), lookedDownTo: lastPart + 1 };
    });
  }

  /** Whether all tests of one of the alternatives may pass in the part. */
  async mayPassIn(part: number): Promise<boolean> {
    for (const alternative of this.#alternatives) {
      if (alternative === undefined || (await this.#holds(alternative, part))) return true;
    }
    return false;
  }

  async #holds(parts: PartsOfTest, part: number): Promise<boolean> {
    const term = { words: [parts.word], isPrefix: false, parts: null };
    while (parts.lookedDownTo > part) {
      const last = parts.lookedDownTo - 1;
      const first = Math.max(0, last - PARTS_AT_ONCE + 1);
      for (const one of await findParts(this.#scope, term, { first, last })) parts.found.add(one);
      parts.lookedDownTo = first;
    }
    return parts.found.has(part);
  }
}

interface PartsOfTest {
  readonly word: string;
  readonly found: Set<number>;
  lookedDownTo: number;
}

const PARTS_AT_ONCE = 64;
