/** How many tests passed and failed; a check without tests of its own is one. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** What a check adds: its exit code says whether it passed. */
export function tallyOfCheck(exitCode: number): Tally {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * What a run of vitest adds, from the text of its JSON report. A run that failed without a failed test (a file that does not
 * load, a report that was never written) counts as one failure, so that nothing broken adds up to none.
 */
export function tallyOfTests(exitCode: number, report: string | undefined): Tally {
  const { numPassedTests = 0, numFailedTests = 0 } = parseReport(report);
  const isBroken = exitCode !== 0 || report === undefined;
  return { passed: numPassedTests, failed: isBroken ? Math.max(numFailedTests, 1) : numFailedTests };
}

/** The line with which a run of all checks closes. */
export function formatTally(tallies: readonly Tally[]): string {
  const passed = tallies.reduce((total, tally) => total + tally.passed, 0);
  const failed = tallies.reduce((total, tally) => total + tally.failed, 0);
  return `${passed} passed, ${failed} failed`;
}

interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
}

function parseReport(report: string | undefined): Report {
  return report === undefined ? {} : (JSON.parse(report) as Report);
}
