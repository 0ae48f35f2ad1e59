/** For how long a question may be looked into. */
import { AppError } from '#base/errors';
import { currentSignal } from '#base/cancellation';

/** How long a page may look, in milliseconds: with what its last step and its rows take, half a second. */
export const PAGE_MS = 400;

/** The time and memory of one question. */
export class Budget {
  readonly #endsMs: number;
  readonly #failsMs: number;
  readonly #signal = currentSignal();
  #isExceeded = false;

  /**
   * @param milliseconds after which an answer in part is given, where there can be one
   * @throws the caller's reason when it has gone while the question waited for its turn
   */
  constructor(milliseconds: number) {
    this.#signal?.throwIfAborted();
    this.#endsMs = performance.now() + milliseconds;
    this.#failsMs = performance.now() + Math.max(milliseconds, LONGEST_MS);
  }

  /** Whether it was found to be over, so that the answer is one in part. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Whether it is time to answer in part. @throws the caller's reason when it has gone */
  get isOver(): boolean {
    this.#signal?.throwIfAborted();
    this.#isExceeded ||= performance.now() > this.#endsMs;
    return this.#isExceeded;
  }

  /** Ends it for want of memory. */
  exceed(): void {
    this.#isExceeded = true;
  }

  /**
   * For a question that cannot be answered in part.
   * @throws AppError `deadline_exceeded` when it takes far too long
   */
  assertNotLost(): void {
    this.#signal?.throwIfAborted();
    if (performance.now() > this.#failsMs) throw new AppError('deadline_exceeded', TOO_LONG);
  }
}

/** Of questions that cannot be answered in part. */
const LONGEST_MS = 20_000;

const TOO_LONG =
  'Searching these spans takes too long: narrow the time range, or sort by start time, which can be searched in steps.';
