/**
 * Kills servers as often as it is told to, then overloads one for a minute: `npm run torture -- --kills 5000`.
 * @see docs/reliability.md
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { Faults, whyNoFaults } from '../test/durability/fail-io.ts';
import { runKills } from '../test/durability/kill-rounds.ts';
import { type OverloadReport, runOverload } from '../test/durability/overload.ts';
import { randomNumbers } from '../test/traffic/random.ts';
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

interface Tally {
  kills: number;
  acknowledgedSpans: number;
  lost: number;
  duplicate: number;
  /** Whatever else was not as it should be. */
  wrong: number;
  worstRecoveryMs: number;
}

/** Kills until it has killed enough or something is wrong. */
async function kill(kills: number, seed: number): Promise<Tally> {
  const tally: Tally = { kills: 0, acknowledgedSpans: 0, lost: 0, duplicate: 0, wrong: 0, worstRecoveryMs: 0 };
  while (tally.kills < kills && !isBad(tally)) {
    const folder = createFolder();
    const random = randomNumbers(seed + tally.kills);
    const wanted = Math.min(KILLS_A_FILE, kills - tally.kills);
    const report = await runKills({
      folder,
      kills: wanted,
      maxAcknowledgedSpans: 200,
      random,
      options: { program: PROGRAM },
    });
    tally.kills += report.kills;
    tally.acknowledgedSpans += report.acknowledgedSpans;
    tally.lost += report.lost.length;
    tally.duplicate += report.twice.length;
    tally.wrong += report.wrong.length;
    tally.worstRecoveryMs = Math.max(tally.worstRecoveryMs, report.worstRecoveryMs);
    console.log(`${tally.kills} of ${kills} kills, ${tally.acknowledgedSpans} spans acknowledged`);
    if (isBad(tally)) console.error(`The data is left in ${folder}:`, report);
    else rmSync(folder, { recursive: true });
  }
  return tally;
}

function isBad({ lost, duplicate, wrong }: Tally): boolean {
  return lost + duplicate + wrong > 0;
}

async function overload(seconds: number): Promise<OverloadReport> {
  const folder = createFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  using faults = new Faults(folder);
  const server = await launchServerProcess(data, { environment: faults.environment, program: PROGRAM }).ready;
  const report = await runOverload(server, join(data, 'cairn.db'), faults, seconds);
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true });
  return report;
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'cairn-torture-'));
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
const tally = await kill(given.kills, given.seed);
console.log(`
kills             ${tally.kills}
acknowledged      ${tally.acknowledgedSpans} spans
lost              ${tally.lost}
duplicate         ${tally.duplicate}
otherwise wrong   ${tally.wrong}
worst recovery    ${tally.worstRecoveryMs} ms`);
if (isBad(tally)) process.exitCode = 1;
if (given.overloadSeconds > 0) {
  const why = whyNoFaults();
  console.log(
    why === undefined
      ? `\noverload of ${given.overloadSeconds} s`
      : `\nNo overload: the disk is slowed by intercepting calls, and ${why}.`,
  );
  if (why === undefined) console.log(await overload(given.overloadSeconds));
}
