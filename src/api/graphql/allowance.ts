import { AppError } from '#base/errors';
import { MAX_COST, MAX_EVENT_COST } from './limits.ts';

/**
 * Characters of all texts of an answer, far below what one text in memory can have. Twice what the largest span has: its
 * attributes, and its input and output, which are some of them.
 */
const MAX_CHARACTERS = 128 * 1024 * 1024;

/**
 * What an answer may still hold while it is made. Counting before (`limits.ts`) can only assume how long the lists are
 * that have no page, and how long texts are: links of spans that lead to spans with links grow without it.
 */
export class Allowance {
  readonly #onExceeded: (error: Error) => void;
  #values = MAX_COST;
  #characters = MAX_CHARACTERS;

  /** `onExceeded` is called once for each answer at most. */
  constructor(onExceeded: (error: Error) => void) {
    this.#onExceeded = onExceeded;
  }

  /** Counts a field. @throws AppError `invalid_argument` where there are too many, here and ever after */
  takeField(): void {
    this.#values--;
    if (this.#values < 0) this.#refuse(this.#values === -1, 'has more values than it may. Ask for smaller pages.');
  }

  /** Counts what a field answers, if it is text. @throws AppError `invalid_argument` where the texts are too long */
  takeText<Value>(value: Value): Value {
    if (typeof value !== 'string') return value;
    const isFirst = this.#characters >= 0;
    this.#characters -= value.length;
    if (this.#characters < 0) this.#refuse(isFirst, `has more than ${MAX_CHARACTERS} characters. Ask for fewer texts.`);
    return value;
  }

  /** Begins the next answer of a subscription. */
  renew(): void {
    this.#values = MAX_EVENT_COST;
    this.#characters = MAX_CHARACTERS;
  }

  #refuse(isFirst: boolean, excess: string): never {
    const error = new AppError('invalid_argument', `The answer ${excess}`);
    if (isFirst) this.#onExceeded(error);
    throw error;
  }
}
