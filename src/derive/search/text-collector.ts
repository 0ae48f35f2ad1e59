import { type Doubts, type PlaceBits, placeBit, type SearchPlace } from './scope.ts';
import { losesWords } from './tokenizer.ts';

/** Gathers the distinct texts of a span, with where each stands, within bounds. */
export class TextCollector {
  readonly #texts = new Map<string, PlaceBits>();
  /** Texts of which an index does not get all words. */
  readonly #incomplete = new Set<string>();
  #doubts: Doubts = 0;
  #room = MAX_CHARACTERS;

  /** By text, in the order in which they came. */
  get texts(): ReadonlyMap<string, PlaceBits> {
    return this.#texts;
  }

  /** Places with words that no text holds. */
  get doubts(): Doubts {
    return this.#doubts;
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
      if (this.#incomplete.has(text)) this.doubt(bit);
      return;
    }
    if (!WORD.test(text)) return;
    if (this.#room <= 0 || this.#texts.size >= MAX_TEXTS) {
      this.doubt(bit);
      return;
    }
    const taken = text.length <= this.#room ? text : text.slice(0, this.#room);
    this.#room -= taken.length;
    if (taken !== text) this.doubt(bit);
    if (losesWords(taken)) {
      this.#incomplete.add(taken);
      this.doubt(bit);
    }
    this.#texts.set(taken, (this.#texts.get(taken) ?? 0) | bit);
  }

  /** Notes that something is not among the texts. */
  doubt(doubts: Doubts): void {
    this.#doubts |= doubts;
  }
}

/** The searched texts of a span: at most as many as its row can number, and no more than can be tokenized in a moment. */
const MAX_TEXTS = 4096;
const MAX_CHARACTERS = 1_000_000;

const WORD = /[\p{L}\p{N}]/u;
