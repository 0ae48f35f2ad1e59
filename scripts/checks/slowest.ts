/** The test files that took longest, of vitest's JSON reports. */
import { relative } from 'node:path';

/** One file of a run. */
export interface TimedFile {
  readonly path: string;
  readonly seconds: number;
}

/** The files of a report, each with the time from its first test to its last; none where there is no report. */
export function timeFiles(report: string | undefined, root: string): readonly TimedFile[] {
  const { testResults = [] } = report === undefined ? {} : (JSON.parse(report) as Report);
  return testResults.map(({ name, startTime, endTime }) => ({
    path: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
}

/** The slowest of them, a line each, and what all of them took together. */
export function formatSlowest(files: readonly TimedFile[], count = 10): string {
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const lines = files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
  return [`The slowest of ${files.length} test files, which took ${total.toFixed(0)} worker-seconds:`, ...lines].join(
    '\n',
  );
}

interface Report {
  readonly testResults?: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}
