/**
 * Measures memory: `npm run bench:memory`. What it does and what came out is in docs/performance.md.
 * @see docs/performance.md
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import type { LoadOrder } from './load.ts';
import { type Answers, CALLER_NAMES, largeCallers, MIXED } from './memory/callers.ts';
import { describeGrowth } from './memory/growth.ts';
import { makeMemoryGroup } from './memory/memory-group.ts';
import { readMemoryMb } from './process-usage.ts';
import { type BenchServer, startBenchServer } from './server-process.ts';

const STEPS = [...CALLER_NAMES, 'all', 'mixed'] as const;

const USAGE = `npm run bench:memory -- [options]

  --spans N       agent spans that are loaded first; 100000
  --limit MIB     memory that the server's processes may have, in a group of their own; none
  --seconds N     how long each kind of caller asks, then all of them, and then ordinary ones; 20
  --only NAMES    those of ${STEPS.join(', ')} that run; all
  --late N        seconds between the end of something and what is measured later; 60`;

/** By then, threads have given back what only their start needed. */
const IDLE_SECONDS = 20;

function readArguments() {
  const { values } = parseArgs({
    options: {
      spans: { type: 'string', default: '100000' },
      limit: { type: 'string' },
      seconds: { type: 'string', default: '20' },
      only: { type: 'string', default: STEPS.join(',') },
      late: { type: 'string', default: '60' },
    },
  });
  const wholeNumber = (text: string) => {
    if (!/^\d{1,8}$/.test(text)) throw new Error(`${text} is not a whole number`);
    return Number(text);
  };
  return {
    spanCount: wholeNumber(values.spans),
    limitMib: values.limit === undefined ? null : wholeNumber(values.limit),
    seconds: wholeNumber(values.seconds),
    steps: stepsNamed(values.only),
    lateSeconds: wholeNumber(values.late),
  };
}

function stepsNamed(names: string): ReadonlySet<string> {
  const wanted = new Set(names.split(','));
  for (const name of wanted) if (!STEPS.some((step) => step === name)) throw new Error(`${name} is not a step`);
  return wanted;
}

async function load({ httpUrl, grpcAddress }: BenchServer, spanCount: number): Promise<void> {
  const order: LoadOrder = { shape: 'agent', protocol: 'http', spanCount, seed: 1, httpUrl, grpcAddress };
  const generator = fork(fileURLToPath(new URL('load.ts', import.meta.url)), [JSON.stringify(order)], {
    execArgv: ['--max-old-space-size=8192'],
  });
  for (const word of ['warm up', 'go']) {
    await once(generator, 'message');
    generator.send(word);
  }
  await once(generator, 'exit');
}

/** Runs something, and prints what memory the server took meanwhile. */
async function observe(server: BenchServer, what: string, run: () => Promise<string>): Promise<void> {
  let most = 0;
  const timer = setInterval(() => {
    if (isRunning(server)) most = Math.max(most, readMemoryMb(server.pid).nowMb);
  }, 50);
  const said = await run();
  clearInterval(timer);
  if (!isRunning(server)) throw new Error(`${what}: the server ended at ${most.toFixed(0)} MB; ${said}`);
  console.log(`${what}: ${most.toFixed(0)} MB at most, ${readMemoryMb(server.pid).nowMb.toFixed(0)} MB then ${said}`);
}

/** One that the kernel has ended is still there for a moment, without memory. */
function isRunning({ pid }: BenchServer): boolean {
  try {
    return Number.isFinite(readMemoryMb(pid).nowMb);
  } catch {
    return false;
  }
}

function describe(answers: Answers): string {
  return [...answers].map(([status, count]) => `${count} × ${status === 0 ? 'no answer' : status}`).join(', ');
}

let given: ReturnType<typeof readArguments>;
try {
  given = readArguments();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
const { spanCount, limitMib, seconds, steps, lateSeconds } = given;
// What a server with less than 1 GiB accepts.
const callers = largeCallers(limitMib !== null && limitMib < 1024 ? 20_000_000 : 30_000_000);
ensureBuilt(process.execPath);
const group = limitMib === null ? null : makeMemoryGroup(`cairn-${process.pid}`, limitMib * 2 ** 20);
if (limitMib !== null && group === null) throw new Error('this machine allows no groups of limited memory');
const server = await startBenchServer(undefined, [], {}, (pid) => group?.add(pid));
try {
  const late = async (after: string) =>
    observe(server, `${lateSeconds} s after ${after}`, async () => {
      await sleep(lateSeconds * 1000);
      return '';
    });
  await observe(server, `idle, ${IDLE_SECONDS} s after the start`, async () => {
    await sleep(IDLE_SECONDS * 1000);
    return '';
  });
  if (spanCount > 0) {
    await observe(server, `loading ${spanCount} agent spans`, async () => {
      await load(server, spanCount);
      return '';
    });
    await late('loading');
  }
  const callOf = (names: readonly (typeof CALLER_NAMES)[number][]) => async () => {
    const deadline = performance.now() + seconds * 1000;
    const all = await Promise.all(
      names.map(async (name) => {
        const answers: Answers = new Map();
        await callers[name](server.httpUrl, deadline, answers);
        return `${name}: ${describe(answers)}`;
      }),
    );
    return `(${all.join('; ')})`;
  };
  const alone = CALLER_NAMES.filter((name) => steps.has(name));
  for (const name of alone) await observe(server, name, callOf([name]));
  if (alone.length > 0) await late('them');
  if (steps.has('all')) {
    await observe(server, 'all at once', callOf(CALLER_NAMES));
    await late('that');
  }
  if (steps.has('mixed')) {
    await observe(server, 'mixed', async () => {
      const deadline = performance.now() + seconds * 1000;
      const answers: Answers = new Map();
      const samples: number[] = [];
      const timer = setInterval(() => samples.push(readMemoryMb(server.pid).nowMb), 200);
      await Promise.all(MIXED.map((callers) => callers(server.httpUrl, deadline, answers)));
      clearInterval(timer);
      return `(${describe(answers)}; ${describeGrowth(samples)})`;
    });
    await late('that');
  }
} finally {
  if (isRunning(server)) await server.stop();
  // One that the kernel ended belongs to its group until it is gone.
  while (existsSync(`/proc/${server.pid}`)) await sleep(50);
  server.remove();
  group?.remove();
}
