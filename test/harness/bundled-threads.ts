/**
 * Threads of a server that a test starts in its own process run the bundle of the tests: this module stands in for
 * `#base/thread-entry`. Vitest runs it before the files of a project (`setupFiles`).
 */
import { registerHooks } from 'node:module';

/** What {@link registerHooks} has done in this process; vitest evaluates the file once for each test file. */
const known = globalThis as { cairnBundledThreads?: true };

if (known.cairnBundledThreads === undefined) {
  known.cairnBundledThreads = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === '#base/thread-entry'
        ? { url: import.meta.url, format: 'module-typescript', shortCircuit: true }
        : nextResolve(specifier, context),
  });
}

/** As that of `#base/thread-entry`. */
export function threadEntry(_importMetaUrl: string, name: string): URL {
  return new URL(`${name}.js`, process.env['CAIRN_TEST_PROGRAM']);
}
