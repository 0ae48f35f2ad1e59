import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { FailedFile } from './failed-files.ts';
import { runCheck } from './run-check.ts';
import { filesToRunAgain, MAX_UNSTABLE_FILES, tallyOfBoth } from './second-attempt.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs a file of two tests, of which one counts its attempts, as a check. */
async function runTests(condition: string) {
  // Below the checkout, whose packages the tests import.
  const folder = mkdtempSync(join(ROOT, '.cairn-unstable-'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const attempts = join(folder, 'attempts');
    mkdirSync(attempts);
    writeFileSync(
      join(folder, 'some.test.js'),
      `import { mkdtempSync, readdirSync } from 'node:fs';
      import { expect, it } from 'vitest';
      it('passes', () => expect(1 + 1).toBe(2));
      it('counts its attempts', () => {
        mkdtempSync(${JSON.stringify(join(attempts, 'one-'))});
        const attempts = readdirSync(${JSON.stringify(attempts)}).length;
        expect(${condition}).toBe(true);
      });`,
    );
    const command = ['node_modules/vitest/vitest.mjs', 'run', `--root=${folder}`];
    const { tally } = await runCheck('some', command, { maxMs: 60_000, isBeside: true });
    return { tally, output: log.mock.calls.flat().join('\n') };
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
}

it('counts a test that passes only when its file runs again, and names it', async () => {
  const { tally, output } = await runTests('attempts > 1');
  expect(tally).toEqual({ passed: 2, failed: 0 });
  expect(output).toMatch(/^Unstable, [^\n]+\n {3}some\.test\.js > counts its attempts$/m);
});

it('fails what fails twice', async () => {
  const { tally, output } = await runTests('attempts > 2');
  expect(tally).toEqual({ passed: 1, failed: 1 });
  expect(output).not.toContain('Unstable');
});

describe('filesToRunAgain', () => {
  const failures = (count: number) =>
    Array.from({ length: count }, (_, place): FailedFile => ({ path: `${place}.test.ts`, tests: ['fails'] }));

  it('names each file once, of two projects too', () => {
    expect(filesToRunAgain([...failures(2), ...failures(1)])).toEqual(['0.test.ts', '1.test.ts']);
  });

  it('names none where too many failed', () => {
    expect(filesToRunAgain(failures(MAX_UNSTABLE_FILES))).toHaveLength(MAX_UNSTABLE_FILES);
    expect(filesToRunAgain(failures(MAX_UNSTABLE_FILES + 1))).toEqual([]);
  });
});

it('counts tests of a file that no longer loads as failed', () => {
  expect(tallyOfBoth({ passed: 9, failed: 1 }, { passed: 0, failed: 3 })).toEqual({ passed: 9, failed: 3 });
});
