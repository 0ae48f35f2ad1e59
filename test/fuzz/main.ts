/**
 * Feeds every decoder with damaged requests for as long as one likes: `npm run fuzz -- --minutes 120`.
 * @see docs/reliability.md
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createInput, findProblem, TARGETS } from './cases.ts';
import type { CasesThreadData } from './cases-thread.ts';

const USAGE = `npm run fuzz -- [options]

  --minutes N    for how long; 10
  --seed N       repeats the cases of a run; otherwise at random
  --target NAME  one decoder alone: ${TARGETS.map(({ name }) => name).join(', ')}
  --case N       one case alone, with --seed and --target`;

/** A case that takes longer hangs. */
const MAX_CASE_MS = 20_000;
const MAX_HEAP_MB = 512;
const MAX_RSS_MB = 2048;
const MAX_FINDINGS = 20;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly targets: readonly string[];
  readonly onlyCase: number | undefined;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { minutes: text, seed: text, target: text, case: text } });
  const number = (flag: 'minutes' | 'seed' | 'case') => {
    const given = values[flag];
    if (given !== undefined && !/^\d{1,9}$/.test(given))
      throw new Error(`--${flag} takes a whole number, not ${given}.`);
    return given === undefined ? undefined : Number(given);
  };
  const names = TARGETS.map(({ name }) => name).filter((name) => (values.target ?? name) === name);
  if (names.length === 0) throw new Error(`There is no target ${values.target}.`);
  const onlyCase = number('case');
  if (onlyCase !== undefined && names.length > 1) throw new Error('--case needs a --target.');
  return { minutes: number('minutes') ?? 10, seed: number('seed') ?? Date.now() % 100_000, targets: names, onlyCase };
}

/** A thread that runs cases, and what has become of it. */
class Run {
  readonly place = new Int32Array(new SharedArrayBuffer(8));
  readonly worker: Worker;
  /** Why it ended, where it ended by itself. */
  death: string | undefined;

  constructor({ seed, targets }: Options, firstCase: number, onProblem: (found: Found) => void) {
    const data: CasesThreadData = { seed, targets, firstCase, place: this.place };
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    this.place.set([-1, firstCase]);
    this.worker = new Worker(new URL('cases-thread.ts', import.meta.url), { workerData: data, resourceLimits });
    this.worker.on('message', onProblem);
    this.worker.on('error', (error) => {
      this.death = `the thread died: ${String(error)}`;
    });
  }
}

interface Found {
  readonly target: string;
  readonly index: number;
  readonly problem: string;
}

/** Runs until the time is over or enough is found; returns the number of cases of each target. */
async function run(options: Options, onProblem: (found: Found) => void, isEnough: () => boolean): Promise<number> {
  const end = performance.now() + options.minutes * 60_000;
  let current = new Run(options, 0, onProblem);
  let seen = '';
  let seenAt = performance.now();
  while (performance.now() < end && !isEnough()) {
    await wait(500);
    const [at = 0, index = 0] = current.place;
    if (seen !== `${at} ${index}`) [seen, seenAt] = [`${at} ${index}`, performance.now()];
    const rssMb = process.memoryUsage.rss() / 2 ** 20;
    const hangs = performance.now() - seenAt > MAX_CASE_MS ? `it takes longer than ${MAX_CASE_MS} ms` : undefined;
    const problem = current.death ?? hangs ?? (rssMb > MAX_RSS_MB ? `the process holds ${rssMb} MB` : undefined);
    if (problem === undefined) continue;
    onProblem({ target: TARGETS[at]?.name ?? '', index, problem });
    await current.worker.terminate();
    current = new Run(options, index + 1, onProblem);
    seenAt = performance.now();
  }
  await current.worker.terminate();
  return current.place[1] ?? 0;
}

function readOptionsOrExit(): Options {
  try {
    return readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

const options = readOptionsOrExit();
const { seed, minutes, targets, onlyCase } = options;
if (onlyCase !== undefined) {
  const [target = ''] = targets;
  const problem = await findProblem({ seed, target, index: onlyCase });
  console.log(problem ?? 'Nothing is wrong with this case.');
  process.exit(problem === undefined ? 0 : 1);
}

console.log(`Node ${process.version}, seed ${seed}, ${minutes} minutes, ${targets.join(', ')}`);
const findings: Found[] = [];
let folder: string | undefined;
const cases = await run(
  options,
  (found) => {
    folder ??= mkdtempSync(join(tmpdir(), 'cairn-fuzz-'));
    const file = join(folder, `${found.target}-${seed}-${found.index}`);
    writeFileSync(file, createInput({ seed, ...found }));
    findings.push(found);
    const again = `npm run fuzz -- --seed ${seed} --target ${found.target} --case ${found.index}`;
    console.error(`\n${found.problem}\n  input: ${file}\n  again: ${again}`);
  },
  () => findings.length >= MAX_FINDINGS,
);
console.log(`\ncases of each target  ${cases}\nfindings              ${findings.length}`);
process.exitCode = findings.length === 0 ? 0 : 1;
