import { type PlaceBits, placeBit, type SearchPlace } from './scope.ts';

/** Gathers the distinct texts of a span, with where each stands, within bounds. */
export class TextCollector {
  readonly #texts = new Map<string, PlaceBits>();
  #room = MAX_CHARACTERS;

  /** By text, in the order in which they came. */
  get texts(): ReadonlyMap<string, PlaceBits> {
    return this.#texts;
  }

  /** Characters that are still taken. */
  get room(): number {
    return this.#room;
  }

  add(place: SearchPlace, text: string): void {
    const bit = placeBit(place);
    const known = this.#texts.get(text);
    if (known !== undefined) {
      this.#texts.set(text, known | bit);
      return;
    }
    if (this.#room <= 0 || this.#texts.size >= MAX_TEXTS || !WORD.test(text)) return;
    const taken = text.length <= this.#room ? text : text.slice(0, this.#room);
    this.#room -= taken.length;
    this.#texts.set(taken, (this.#texts.get(taken) ?? 0) | bit);
  }
}

/** The searched texts of a span: at most as many as its row can number, and no more than can be tokenized in a moment. */
const MAX_TEXTS = 4096;
const MAX_CHARACTERS = 1_000_000;

const WORD = /[\p{L}\p{N}]/u;
