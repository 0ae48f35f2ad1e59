/** Whether anybody still waits for what is being done, known to everything that is done for one caller. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs what is done for a caller; all that it waits for knows the signal. */
export function withSignal<Result>(signal: AbortSignal, run: () => Result): Result {
  // As many listen as there are things to wait for.
  setMaxListeners(0, signal);
  return signals.run(signal, run);
}

/** The signal of the caller that this is done for, `undefined` where it has none. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}
