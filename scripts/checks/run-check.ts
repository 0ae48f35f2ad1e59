/** Runs one check as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FAILED_FILES, type FailedFile } from './failed-files.ts';
import { filesToRunAgain, formatUnstable, tallyOfBoth } from './second-attempt.ts';
import { type TimedFile, timeFiles } from './slowest.ts';
import { type Tally, tallyOfCheck, tallyOfTests } from './tally.ts';

/** The checkout. */
const ROOT = resolve(import.meta.dirname, '../..');

/** What came of a check. */
export interface CheckResult {
  readonly name: string;
  readonly tally: Tally;
  /** Of a check that is a run of vitest. */
  readonly files: readonly TimedFile[];
}

/** How a check is run. */
export interface RunOptions {
  /** After which it hangs, and is ended. */
  readonly maxMs: number;
  /** Whether it gives way to another check at the same time; what it says is shown when it has ended. */
  readonly isBeside: boolean;
}

/**
 * Runs a Node program to its end; the heading comes before what it says, and how it ended after. Test files that failed run once
 * more by themselves, where they are few: what fails again has failed.
 */
export async function runCheck(name: string, command: readonly string[], options: RunOptions): Promise<CheckResult> {
  const heading = `\n── ${name} ${'─'.repeat(60 - name.length)}`;
  if (!options.isBeside) console.log(heading);
  const startedAt = performance.now();
  const first = await runOnce(command, options);
  const again = filesToRunAgain(first.failed);
  const second = again.length === 0 ? undefined : await runOnce([...command, ...again], options);
  const { exitCode } = second ?? first;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const ending = `── ${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${seconds} s`;
  console.log(options.isBeside ? `${heading}\n${first.output}${second?.output ?? ''}${ending}` : ending);
  if (second?.exitCode === 0) console.log(formatUnstable(first.failed));
  return {
    name,
    tally: second === undefined ? first.tally : tallyOfBoth(first.tally, second.tally),
    files: [...first.files, ...(second?.files ?? [])],
  };
}

interface Attempt {
  readonly exitCode: number;
  readonly tally: Tally;
  readonly files: readonly TimedFile[];
  /** Of a run of vitest in which nothing failed but tests and their files. */
  readonly failed: readonly FailedFile[];
  /** What was not shown yet. */
  readonly output: string;
}

async function runOnce(command: readonly string[], { maxMs, isBeside }: RunOptions): Promise<Attempt> {
  const reports = mkdtempSync(join(tmpdir(), 'cairn-report-'));
  const report = join(reports, 'report.json');
  const failedFiles = join(reports, 'failed-files.json');
  const isVitest = command[0]?.endsWith('vitest.mjs') ?? false;
  const reporting = isVitest
    ? [
        '--reporter=default',
        `--reporter=${join(import.meta.dirname, 'failed-files.ts')}`,
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]
    : [];
  const child = spawn(process.execPath, [...command, ...reporting], {
    cwd: ROOT,
    env: { ...process.env, [FAILED_FILES]: failedFiles },
    stdio: ['inherit', isBeside ? 'pipe' : 'inherit', isBeside ? 'pipe' : 'inherit'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  });
  if (isBeside && child.pid !== undefined) setPriority(child.pid, BESIDE_NICE);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [status] = (await once(child, 'close')) as [number | null];
  const exitCode = status ?? 1;
  const text = isVitest ? readIfWritten(report) : undefined;
  const failed = JSON.parse(readIfWritten(failedFiles) ?? '[]') as readonly FailedFile[];
  rmSync(reports, { recursive: true });
  return {
    exitCode,
    tally: isVitest ? tallyOfTests(exitCode, text) : tallyOfCheck(exitCode),
    files: timeFiles(text, ROOT),
    failed,
    output,
  };
}

/** Some tests measure time: what runs beside them takes what they leave. */
const BESIDE_NICE = 5;

function readIfWritten(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // vitest ended before it wrote; the tally counts a report without tests as a failure
  }
}
