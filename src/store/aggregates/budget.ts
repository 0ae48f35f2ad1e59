/** How long a question may look before it answers with what it has found. */
import { currentSignal } from '#base/cancellation';

/** The time and memory of one question. */
export class Budget {
  readonly #endsMs: number;
  readonly #signal = currentSignal();
  #isExceeded = false;

  /** @throws the caller's reason when it has gone while the question waited for its turn */
  constructor(milliseconds: number) {
    this.#signal?.throwIfAborted();
    this.#endsMs = performance.now() + milliseconds;
  }

  /** Whether it was found to be over, so that the answer is one in part. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Whether to stop and answer with what there is. @throws the caller's reason when it has gone */
  isOver(): boolean {
    this.#signal?.throwIfAborted();
    this.#isExceeded ||= performance.now() > this.#endsMs;
    return this.#isExceeded;
  }

  /** Ends it for want of memory. */
  exceed(): void {
    this.#isExceeded = true;
  }
}
