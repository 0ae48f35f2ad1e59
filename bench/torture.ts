/**
 * Kills servers as often as it is told to, then overloads one for a minute: `npm run torture -- --kills 5000`.
 * @see docs/durability.md
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { Faults, whyNoFaults } from '../test/durability/fail-io.ts';
import { type KillReport, runKills } from '../test/durability/kill-rounds.ts';
import { type OverloadReport, runOverload } from '../test/durability/overload.ts';
import { randomNumbers } from '../test/durability/random.ts';
import { launchServerProcess } from '../test/harness/server-process.ts';

const USAGE = `npm run torture -- [options]

  --kills N             how often a server is killed; 500
  --overload-seconds N  how long one is overloaded, 0 for not at all; 60
  --seed N              repeats the choices of a run; otherwise at random`;

/** Each data file is killed so often; comparing all of it after each kill takes longer the larger it is. */
const KILLS_A_FILE = 50;

/** The program as it is published. */
const PROGRAM = new URL('../bin/cairn.js', import.meta.url);

function readArguments(): { kills: number; overloadSeconds: number; seed: number } {
  const { values } = parseArgs({
    options: { kills: { type: 'string' }, 'overload-seconds': { type: 'string' }, seed: { type: 'string' } },
  });
  const parse = (flag: keyof typeof values, otherwise: number) => {
    const text = values[flag] ?? String(otherwise);
    if (!/^\d{1,9}$/.test(text)) throw new Error(`--${flag} takes a whole number, not ${text}.`);
    return Number(text);
  };
  return {
    kills: parse('kills', 500),
    overloadSeconds: parse('overload-seconds', 60),
    seed: parse('seed', Date.now() % 100_000),
  };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-torture-'));
  const result = await work(folder);
  // What went wrong is left where it is, to be looked at.
  rmSync(folder, { recursive: true });
  return result;
}

async function kill(kills: number, seed: number): Promise<KillReport> {
  const total = { kills: 0, acknowledgedSpans: 0, worstRecoveryMs: 0 };
  while (total.kills < kills) {
    const report = await inFolder(async (folder) => {
      const random = randomNumbers(seed + total.kills);
      const wanted = Math.min(KILLS_A_FILE, kills - total.kills);
      const found = await runKills({ folder, kills: wanted, random, options: { program: PROGRAM } });
      if (found.lost.length + found.twice.length + found.wrong.length === 0) return found;
      console.error(`In ${folder}:`, found);
      process.exit(1);
    });
    total.kills += report.kills;
    total.acknowledgedSpans += report.acknowledgedSpans;
    total.worstRecoveryMs = Math.max(total.worstRecoveryMs, report.worstRecoveryMs);
    console.log(`${total.kills} of ${kills} kills, ${total.acknowledgedSpans} spans acknowledged, none lost`);
  }
  return { ...total, lost: [], twice: [], wrong: [] };
}

function overload(seconds: number): Promise<OverloadReport> {
  return inFolder(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    using faults = new Faults(folder);
    const server = await launchServerProcess(data, { environment: faults.environment, program: PROGRAM }).ready;
    const report = await runOverload(server, join(data, 'cairn.db'), faults, seconds);
    await server.end('SIGTERM');
    return report;
  });
}

let given: ReturnType<typeof readArguments>;
try {
  given = readArguments();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
ensureBuilt(process.execPath);
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, seed ${given.seed}`);
const { kills, acknowledgedSpans, lost, twice, worstRecoveryMs } = await kill(given.kills, given.seed);
console.log(`
kills             ${kills}
acknowledged      ${acknowledgedSpans} spans
lost              ${lost.length}
duplicate         ${twice.length}
worst recovery    ${worstRecoveryMs} ms`);
if (given.overloadSeconds > 0) {
  const why = whyNoFaults();
  console.log(
    why === undefined
      ? `\noverload of ${given.overloadSeconds} s`
      : `\nNo overload: the disk is slowed by intercepting calls, and ${why}.`,
  );
  if (why === undefined) console.log(await overload(given.overloadSeconds));
}
