/** Whether anybody still waits for what is being done, known to everything that is done for one caller. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { AppError } from './errors.ts';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs what is done for a caller; all that it waits for knows the signal. */
export function withSignal<Result>(signal: AbortSignal, run: () => Result): Result {
  // As many listen as there are things to wait for.
  setMaxListeners(0, signal);
  return signals.run(signal, run);
}

/** The same for what only reads: where a part of it fails, the other parts end, too. */
export async function endTogether<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
  const failed = new AbortController();
  using _ = abortWith(failed, signal);
  try {
    return await withSignal(failed.signal, run);
  } catch (error) {
    failed.abort(unneeded());
    throw error;
  }
}

/** Aborts with the signal of a caller, until it is disposed. `AbortSignal.any` leaves behind what only a collection of the whole heap clears. */
export function abortWith(controller: AbortController, signal: AbortSignal): Disposable {
  const leave = () => controller.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', leave) };
}

/** Why something ends whose answer nobody needs. */
export function unneeded(): AppError {
  return new AppError('unavailable', 'Another part of the request has failed.');
}

/** The signal of the caller that this is done for, `undefined` where it has none. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}
