/**
 * A text that must never be shown. Printing, formatting, logging or serialising it gives `[secret]`; only
 * {@link Secret.reveal} gives the text, so that every use can be found by that word.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}

const MASK = '[secret]';
