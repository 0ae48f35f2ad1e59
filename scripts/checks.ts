/**
 * What `npm test` runs once Node and dependencies are there: every check to its end, failed ones before it or not, or only
 * those whose names are given. Closes with one line, `N passed, N failed`, and exits with 1 when anything failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { formatTally, type Tally, tallyOfCheck, tallyOfTests } from './checks/tally.ts';

const ROOT = resolve(import.meta.dirname, '..');
const REPORTS = mkdtempSync(join(tmpdir(), 'cairn-reports-'));

/** A check that takes longer hangs; all of them together take some ten minutes on two cores. */
const MAX_CHECK_MS = 18 * 60_000;

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];

/** In the order in which they run: what is quick and often wrong comes first. The commands are Node programs. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  relay: ['node_modules/relay-compiler/cli.js'],
  types: ['node_modules/typescript/bin/tsc', '-p', '.'],
  'types-ui': ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.ui.json'],
  'types-ui-tests': ['node_modules/typescript/bin/tsc', '-p', 'test/ui'],
  lint: ['node_modules/oxlint/bin/oxlint'],
  format: ['node_modules/@biomejs/biome/bin/biome', 'format'],
  layers: ['scripts/check-layers.ts'],
  measures: ['scripts/measures.ts'],
  knip: ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  build: ['scripts/build.mjs'],
  tests: [...VITEST, ...['packaging', 'proxies', 'unit-postgres', 'integration-postgres'].flatMap(leaveOut)],
  package: [...VITEST, 'test/packaging'],
};

/** Those that only run when they are named: they repeat others elsewhere, and all together would take too long. */
const ON_REQUEST: typeof CHECKS = {
  'tests-postgres': [...VITEST, '--project', 'unit-postgres', '--project', 'integration-postgres'],
  proxies: [...VITEST, '--project', 'proxies'],
};

function leaveOut(project: string): readonly string[] {
  return ['--project', `!${project}`];
}

function runCheck(name: string, command: readonly string[]): Tally {
  console.log(`\n── ${name} ${'─'.repeat(60 - name.length)}`);
  const startedAt = performance.now();
  const isVitest = command[0]?.endsWith('vitest.mjs') ?? false;
  const report = join(REPORTS, `${name}.json`);
  const reporting = isVitest ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  const { status } = spawnSync(process.execPath, [...command, ...reporting], {
    cwd: ROOT,
    stdio: 'inherit',
    timeout: MAX_CHECK_MS,
    killSignal: 'SIGKILL',
  });
  const exitCode = status ?? 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`── ${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return isVitest ? tallyOfTests(exitCode, readIfWritten(report)) : tallyOfCheck(exitCode);
}

function readIfWritten(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // vitest ended before it wrote; the tally counts that as a failure
  }
}

const wanted = process.argv.slice(2);
const known = { ...CHECKS, ...ON_REQUEST };
const unknown = wanted.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(`cairn: no check is called ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}.`);
  process.exit(2);
}

const results = Object.entries(wanted.length === 0 ? CHECKS : known)
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .map(([name, command]) => ({ name, tally: runCheck(name, command) }));
rmSync(REPORTS, { recursive: true });

const failed = results.filter(({ tally }) => tally.failed > 0);
console.log(failed.length === 0 ? '' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
console.log(formatTally(results.map(({ tally }) => tally)));
process.exitCode = failed.length === 0 ? 0 : 1;
