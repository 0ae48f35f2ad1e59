/** Repeatable chance: the same seed makes the same traffic. */
import { randomWords } from '../test/traffic/random.ts';

/** A source of repeatable numbers and texts. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomWords(seed);
  }

  /** A fraction in [0, 1). */
  fraction(): number {
    return this.#next() / 2 ** 32;
  }

  /** A whole number in [least, most]. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.whole(0, 255));
  }

  /** Words of about that many characters; common words come often, as in any language, and numbers now and then. */
  text(length: number): string {
    let text = '';
    while (text.length < length) {
      const word = WORDS[Math.floor(this.fraction() ** 2 * WORDS.length)] as string;
      text += this.fraction() < 0.04 ? ` ${this.whole(10, 99_999)}` : ` ${word}`;
    }
    return text.slice(1, length + 1).trimEnd();
  }
}

/** A vocabulary of syllables: about as many different words as a conversation has. */
const WORDS: readonly string[] = (() => {
  const onsets = ['b', 'c', 'd', 'f', 'g', 'l', 'm', 'n', 'p', 'r', 's', 't', 'st', 'tr', 'pl', 'qu'];
  const rhymes = ['a', 'e', 'i', 'o', 'ar', 'en', 'ing', 'ous', 'ent', 'ion'];
  const syllables = onsets.flatMap((onset) => rhymes.map((rhyme) => onset + rhyme));
  const random = new Random(1);
  const pick = () => syllables[random.whole(0, syllables.length - 1)] as string;
  return Array.from({ length: 1500 }, (_, rank) => (rank < 100 ? pick() : pick() + pick() + (rank % 2 ? pick() : '')));
})();
