import { randomInt } from 'node:crypto';

/**
 * Words with the places of the texts that hold them. A word is looked up where it stands in its text, and what is known of it lies together:
 * making a text of each word, or a list for each, would take longer than everything else.
 */
export class WordPlaces {
  readonly #words: string[] = [];
  /** By hash: the number of a word, and one more. */
  #slots = new Int32Array(1024);
  /** By the number of a word: {@link FIELDS} numbers. */
  #facts = new Int32Array(512 * FIELDS);
  /** The code units of all words. */
  #units = new Uint16Array(8192);
  #unitCount = 0;
  /** Numbers of words and places of texts, in turns, as they came. */
  #found = new Int32Array(8192);
  #foundCount = 0;
  readonly #own = new Uint16Array(MAX_UNITS);

  /** Notes that a text holds a word; places of texts ascend. */
  addWord(word: string, place: number): void {
    for (let at = 0; at < word.length; at++) this.#own[at] = word.charCodeAt(at);
    this.add(word, this.#own, 0, word.length, place);
  }

  /** The same of the word that stands in a text, whose code units are known. */
  add(text: string, units: Uint16Array, start: number, end: number, place: number): void {
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash, MULTIPLIER) + (units[at] as number);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 12;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) {
        this.#slots[slot] = this.#words.length + 1;
        this.#append(text.slice(start, end), hash, place);
        return;
      }
      const at = number * FIELDS;
      if (this.#facts[at + HASH] !== hash || !this.#stands(at, units, start, end)) continue;
      if (this.#facts[at + LAST] !== place) this.#note(number, place);
      return;
    }
  }

  /** All words, in no order. */
  entries(): readonly WordEntry[] {
    const lists = this.#words.map((_, number) => new Int32Array(this.#facts[number * FIELDS + COUNT] as number));
    const counts = new Int32Array(this.#words.length);
    for (let at = 0; at < this.#foundCount; at += 2) {
      const number = this.#found[at] as number;
      const count = counts[number] as number;
      (lists[number] as Int32Array)[count] = this.#found[at + 1] as number;
      counts[number] = count + 1;
    }
    return this.#words.map((word, number) => ({ word, places: lists[number] as Int32Array }));
  }

  #stands(facts: number, units: Uint16Array, start: number, end: number): boolean {
    const length = end - start;
    if (this.#facts[facts + LENGTH] !== length) return false;
    const first = this.#facts[facts + FIRST] as number;
    for (let at = 0; at < length; at++) if (this.#units[first + at] !== units[start + at]) return false;
    return true;
  }

  #append(word: string, hash: number, place: number): void {
    const number = this.#words.push(word) - 1;
    const at = number * FIELDS;
    if (at === this.#facts.length) {
      const facts = this.#facts;
      this.#facts = new Int32Array(facts.length * 2);
      this.#facts.set(facts);
    }
    const first = this.#unitCount;
    this.#facts.set([hash, word.length, first, -1, 0], at);
    this.#unitCount += word.length;
    if (this.#unitCount > this.#units.length) {
      const units = this.#units;
      this.#units = new Uint16Array(units.length * 2);
      this.#units.set(units);
    }
    for (let unit = 0; unit < word.length; unit++) this.#units[first + unit] = word.charCodeAt(unit);
    this.#note(number, place);
    if (this.#words.length * 2 > this.#slots.length) this.#growSlots();
  }

  #note(number: number, place: number): void {
    const at = number * FIELDS;
    this.#facts[at + LAST] = place;
    this.#facts[at + COUNT] = (this.#facts[at + COUNT] as number) + 1;
    if (this.#foundCount === this.#found.length) {
      const found = this.#found;
      this.#found = new Int32Array(found.length * 2);
      this.#found.set(found);
    }
    this.#found[this.#foundCount++] = number;
    this.#found[this.#foundCount++] = place;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#words.length; number++) {
      let slot = (this.#facts[number * FIELDS + HASH] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

/** A word with the places of the texts that hold it, ascending. */
export interface WordEntry {
  readonly word: string;
  readonly places: Int32Array;
}

/** Odd, and no sender of texts knows it: words that all have one hash would take the square of their number. */
const MULTIPLIER = randomInt(2 ** 30) * 2 + 1;

/** A word, and the sign of a part. */
const MAX_UNITS = 65;

/** What is known of a word: its hash, its length, where its code units are, the last text that holds it, and how many do. */
const [HASH, LENGTH, FIRST, LAST, COUNT, FIELDS] = [0, 1, 2, 3, 4, 5];
