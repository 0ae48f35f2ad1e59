/** A reporter of vitest that leaves the files with failed tests to the program that started the run. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The environment variable that names the file to write; a reporter named on the command line takes no options. */
export const FAILED_FILES = 'CAIRN_FAILED_FILES';

/** A test file that failed. */
export interface FailedFile {
  /** From the root of the run. */
  readonly path: string;
  /** The tests that failed; none where the file itself did. */
  readonly tests: readonly string[];
}

/** Writes {@link FailedFile}s as JSON. An error outside every test writes nothing: no file answers for it. */
// oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter's file by its default export.
export default class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const place = process.env[FAILED_FILES];
    if (place === undefined || errors.length > 0) return;
    const failed = modules
      .filter((module) => module.state() === 'failed')
      .map(
        (module): FailedFile => ({
          path: module.relativeModuleId,
          tests: Array.from(module.children.allTests('failed'), ({ fullName }) => fullName),
        }),
      );
    writeFileSync(place, JSON.stringify(failed));
  }
}
