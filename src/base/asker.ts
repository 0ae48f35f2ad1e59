/** For whom something is done, known to everything that is done for it: what is scarce is shared out by it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Who asked, as far as sharing is concerned. */
export interface Asker {
  /** Of whom it takes its share, the widest first: a caller, then one of the caller's addresses. */
  readonly shares: readonly string[];
  /** Differs between any two requests of this process. */
  readonly operation: number;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

let lastOperation = 0;

/** Runs one operation that somebody asked for. @param shares see {@link Asker} */
export function withAsker<Result>(shares: readonly string[], run: () => Result): Result {
  return askers.run({ shares, operation: ++lastOperation }, run);
}

/** Runs the server's own work, also where a caller caused it. */
export function asServer<Result>(run: () => Result): Result {
  return askers.run(undefined, run);
}

/** Goes on with what somebody asked for in another thread. */
export function forAsker<Result>(asker: Asker | undefined, run: () => Result): Result {
  return askers.run(asker, run);
}

/** Who asked for what this is done for; `undefined` for the server's own work. */
export function currentAsker(): Asker | undefined {
  return askers.getStore();
}
