/**
 * What `npm test` runs once Node and dependencies are there: every check to its end, whether others fail or not, or only those
 * whose names are given. With `--long`, tests try all they can, and what a run otherwise leaves out is run too. Names the
 * slowest test files, closes with one line, `N passed, N failed`, and exits with 1 when anything failed.
 */
import { constants, setPriority } from 'node:os';
import { findMissingPackage } from '../test/harness/postgres/find-postgres.ts';
import { installPythonClients } from '../test/harness/python.ts';
import { ensureInstalled } from './bootstrap/install.mjs';
import { type CheckResult, runCheck } from './checks/run-check.ts';
import { formatSlowest } from './checks/slowest.ts';
import { formatTally } from './checks/tally.ts';

/** The commands of checks, which are Node programs, by their names. */
type Checks = Readonly<Record<string, readonly string[]>>;

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];

/** One checker: several check some of the same types each, and other checks run beside it. */
const TSC = ['node_modules/typescript/bin/tsc', '--checkers', '1', '-p'];

/** What the others need: they run before them. */
const FIRST: Checks = {
  relay: ['node_modules/relay-compiler/cli.js'],
  build: ['scripts/build.mjs'],
};

/** Run one after the other, beside the tests, which wait for much: what is quick and often wrong comes first. */
const BESIDE: Checks = {
  lint: ['node_modules/oxlint/bin/oxlint'],
  format: ['node_modules/@biomejs/biome/bin/biome', 'format'],
  layers: ['scripts/check-layers.ts'],
  measures: ['scripts/measures.ts'],
  knip: ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  package: [...VITEST, 'test/packaging'],
};

const TESTS: Checks = {
  tests: [...VITEST, ...['packaging', 'proxies', 'integration-postgres'].flatMap(leaveOut)],
};

/**
 * Those that a run leaves out unless they are named or it is the long one: they repeat others elsewhere. The linter reports
 * the compiler's errors, too, from the types that it reads once for both.
 */
const ON_REQUEST: Checks = {
  'tests-postgres': [...VITEST, '--project', 'integration-postgres'],
  proxies: [...VITEST, '--project', 'proxies'],
  types: [...TSC, '.'],
  'types-ui': [...TSC, 'tsconfig.ui.json'],
  'types-ui-tests': [...TSC, 'test/ui'],
};

function leaveOut(project: string): readonly string[] {
  return ['--project', `!${project}`];
}

// Servers do some of their work with the least priority. Tests that keep the processor busy wait for that, and leave it little unless
// they have hardly more themselves.
setPriority(constants.priority.PRIORITY_LOW - 4);

const isLong = process.argv.includes('--long');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--long');
const known = { ...FIRST, ...BESIDE, ...TESTS, ...ON_REQUEST };
const unknown = wanted.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(`cairn: no check is called ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}.`);
  process.exit(2);
}

/** A check that takes longer hangs; slow machines take half as long again as two idle cores. */
const MAX_CHECK_MS = (isLong ? 60 : 40) * 60_000;
if (isLong) process.env['CAIRN_TEST_LONG'] = '1';

const missing = findMissingPackage();
if (missing !== undefined) ensureInstalled(missing);

const results: CheckResult[] = [];

/** Runs those of the checks that are wanted, one after the other. */
async function runWanted(checks: Checks, isBeside = false): Promise<void> {
  for (const [name, command] of Object.entries(checks)) {
    const isWanted = wanted.length === 0 ? isLong || !(name in ON_REQUEST) : wanted.includes(name);
    if (isWanted) results.push(await runCheck(name, command, { maxMs: MAX_CHECK_MS, isBeside }));
  }
}

// Beside what else comes first: it waits for a registry.
const python = wanted.length === 0 || wanted.includes('tests') ? installPythonClients() : null;
await runWanted(FIRST);
const withoutPython = await python;
if (withoutPython !== null) console.log(`cairn: tests of Python clients are left out: ${withoutPython}.`);
await Promise.all([runWanted({ ...TESTS, ...ON_REQUEST }), runWanted(BESIDE, true)]);

const files = results.flatMap((result) => result.files);
if (files.length > 0) console.log(`\n${formatSlowest(files)}`);
const failed = results.filter(({ tally }) => tally.failed > 0);
console.log(failed.length === 0 ? '' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
console.log(formatTally(results.map(({ tally }) => tally)));
process.exitCode = failed.length === 0 ? 0 : 1;
