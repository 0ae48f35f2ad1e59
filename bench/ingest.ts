/**
 * Measures ingestion: `npm run bench:ingest`. What it does and what came out is in docs/performance.md.
 * @see docs/performance.md
 */
import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { type BenchArguments, parseArguments, USAGE } from './arguments.ts';
import { formatProfiles } from './cpu-profile.ts';
import { measureDisk, NOTHING } from './disk-usage.ts';
import { prefilledFile } from './prefill.ts';
import { formatReport, medianOf, type ReportRow } from './report.ts';
import { run, type RunPlan, type RunResult } from './run.ts';
import { SHAPES } from './shapes.ts';

async function measure(given: BenchArguments, nodeOptions: readonly string[]): Promise<readonly ReportRow[]> {
  const { shapes, protocols, engine, databases, repeat, isQuick } = given;
  const full = databases.includes('full') ? await prefilledFile(given.cache, given.prefillCount) : undefined;
  const fullDisk = full === undefined ? NOTHING : measureDisk(full);
  const plans = shapes.flatMap((shape) =>
    protocols.flatMap((protocol) =>
      databases.map((database): Omit<RunPlan, 'seed'> & { readonly kind: string } => ({
        kind: [shape, protocol, ...(engine === 'sqlite' ? [database] : [engine])].join(', '),
        engine,
        shape,
        protocol,
        spanCount: isQuick ? SHAPES[shape].quickSpanCount : SHAPES[shape].spanCount,
        base: database === 'full' ? full : undefined,
        baseDisk: database === 'full' ? fullDisk : NOTHING,
        nodeOptions,
      })),
    ),
  );
  const results = new Map<string, RunResult[]>(plans.map(({ kind }) => [kind, []]));
  // One of each kind and then again, so that a slow minute of the machine does not hit one kind alone.
  for (let seed = 1; seed <= repeat; seed++) {
    for (const plan of plans) {
      const result = await run({ ...plan, seed });
      results.get(plan.kind)?.push(result);
      console.log(`${plan.kind}, ${seed} of ${repeat}: ${Math.round(result.spansPerSecond)} spans/s`);
    }
  }
  return [...results].map(([kind, ofKind]) => ({ kind, result: medianOf(ofKind) }));
}

let given: BenchArguments;
try {
  given = parseArguments(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
ensureBuilt(process.execPath);
const profiles = given.isProfiling ? mkdtempSync(join(tmpdir(), 'cairn-profile-')) : undefined;
const rows = await measure(given, profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n`);
console.log(formatReport(rows));
if (profiles !== undefined) console.log(`\nProfiles in ${profiles}\n\n${formatProfiles(profiles)}`);
