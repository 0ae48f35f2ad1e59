/** Runs one check as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

/** Runs a Node program to its end; the heading comes before what it says, and how it ended after. */
export async function runCheck(
  name: string,
  command: readonly string[],
  { maxMs, isBeside }: RunOptions,
): Promise<CheckResult> {
  const heading = `\n── ${name} ${'─'.repeat(60 - name.length)}`;
  if (!isBeside) console.log(heading);
  const startedAt = performance.now();
  const reports = mkdtempSync(join(tmpdir(), 'cairn-report-'));
  const report = join(reports, 'report.json');
  const isVitest = command[0]?.endsWith('vitest.mjs') ?? false;
  const reporting = isVitest
    ? [
        '--reporter=default',
        '--reporter=scripts/checks/unstable-tests.ts',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]
    : [];
  const child = spawn(process.execPath, [...command, ...reporting], {
    cwd: ROOT,
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
  rmSync(reports, { recursive: true });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const ending = `── ${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${seconds} s`;
  console.log(isBeside ? `${heading}\n${output}${ending}` : ending);
  return {
    name,
    tally: isVitest ? tallyOfTests(exitCode, text) : tallyOfCheck(exitCode),
    files: timeFiles(text, ROOT),
  };
}

/** Some tests measure time: what runs beside them takes what they leave. */
const BESIDE_NICE = 5;

function readIfWritten(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // vitest ended before it wrote; the tally counts that as a failure
  }
}
