/** Whether what is being done only reads, known to everything that is done for it: a replica may answer such reads. */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<true>();

/** Runs what changes nothing. */
export function readOnly<Result>(run: () => Result): Result {
  return scope.run(true, run);
}

/** Whether this runs for something that changes nothing; false unless the caller said so. */
export function isReadOnly(): boolean {
  return scope.getStore() === true;
}
