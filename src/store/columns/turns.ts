/** Long work of a reader's thread, in turns: between two of them others are answered. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Ends turns that took long enough. */
export class Turns {
  #endsMs = performance.now() + TURN_MS;

  /** To be awaited wherever the work may be interrupted. */
  async rest(): Promise<void> {
    if (performance.now() < this.#endsMs) return;
    await nextTurn();
    this.#endsMs = performance.now() + TURN_MS;
  }
}

const TURN_MS = 10;
