/** What a run of tests with a few failures is given: those files once more, by themselves. */
import type { FailedFile } from './failed-files.ts';
import type { Tally } from './tally.ts';

/** Of some nine hundred: one in a hundred. A run in which more of them fail has a fault that is not of the machine. */
export const MAX_UNSTABLE_FILES = 8;

/** The files to run once more: none where too many failed. */
export function filesToRunAgain(failed: readonly FailedFile[]): readonly string[] {
  const paths = new Set(failed.map(({ path }) => path));
  return paths.size > MAX_UNSTABLE_FILES ? [] : [...paths];
}

/** What both runs add up to: a test that failed in the first counts as the second says. */
export function tallyOfBoth(first: Tally, second: Tally): Tally {
  return { passed: first.passed + Math.max(0, first.failed - second.failed), failed: second.failed };
}

/** Names what passed at the second attempt only, so that it is mended. */
export function formatUnstable(failed: readonly FailedFile[]): string {
  const lines = failed.flatMap(({ path, tests }) =>
    tests.length === 0 ? [path] : tests.map((test) => `${path} > ${test}`),
  );
  return [
    `Unstable, passed only when their files ran again by themselves (${MAX_UNSTABLE_FILES} files may):`,
    ...lines.map((line) => `   ${line}`),
  ].join('\n');
}
