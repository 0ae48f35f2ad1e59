/** A reporter of vitest for tests that failed, and passed when they were tried once more. */
import type { Reporter, TestCase } from 'vitest/node';

/** Of some ten thousand. A run with more of them has a fault that is not of the machine. */
const MAX_UNSTABLE = 3;

/** Names unstable tests at the end of a run, so that they are mended, and fails a run with more than {@link MAX_UNSTABLE}. */
// oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter's file by its default export.
export default class UnstableTests implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(testCase: TestCase): void {
    if (testCase.diagnostic()?.flaky !== true) return;
    this.#names.push(`${testCase.module.relativeModuleId} > ${testCase.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length === 0) return;
    console.log(`\nUnstable, passed at the second attempt only (${MAX_UNSTABLE} may):`);
    for (const name of this.#names) console.log(`   ${name}`);
    if (this.#names.length > MAX_UNSTABLE) process.exitCode = 1;
  }
}
