/**
 * How fast the spans of each recorded instrumentation are normalised, in one thread: `npm run bench:normalise`. Fails when
 * one is slower than a third of OpenInference, which is what nothing must be translated into.
 */
import { parseArgs } from 'node:util';
import { normalizeSpan } from '../src/normalize/normalize-span.ts';
import { type LoadedSpan, loadSpans } from '../test/dialects/load-spans.ts';
import { listFolders, readScenarios } from '../test/dialects/recording.ts';

const USAGE = `npm run bench:normalise -- [options]

  --ms N      processor time of each folder in a round; 50
  --rounds N  of which the fastest counts; 12`;

/** Slower than this part of OpenInference is too slow. */
const LEAST_RATIO = 1 / 3;

interface Measured {
  readonly folder: string;
  readonly spanCount: number;
  readonly bytesPerSpan: number;
  readonly spansPerSecond: number;
}

/** In rounds over all folders, so that a machine that gets slower does so for each. */
function measure(roundMs: number, rounds: number): Measured[] {
  const loaded = listFolders().map((folder) => ({
    folder,
    spans: readScenarios(folder).flatMap(({ requests }) => loadSpans(requests)),
    spansPerSecond: 0,
  }));
  for (let round = 0; round <= rounds; round++) {
    for (const one of loaded) one.spansPerSecond = Math.max(one.spansPerSecond, run(one.spans, roundMs));
  }
  return loaded.map(({ folder, spans, spansPerSecond }) => {
    const bytes = spans.reduce((sum, { original }) => sum + original.bytes.length, 0);
    return { folder, spanCount: spans.length, bytesPerSpan: bytes / spans.length, spansPerSecond };
  });
}

function run(spans: readonly LoadedSpan[], roundMs: number): number {
  const before = process.cpuUsage();
  for (let count = 0; ; count += spans.length) {
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= roundMs) return count / (ms / 1000);
    for (const { original, scope, resource, records } of spans) normalizeSpan(original, scope, resource, 0n, records);
  }
}

/** All spans of the folders together. */
function speedOf(measured: readonly Measured[]): number {
  const spans = measured.reduce((sum, { spanCount }) => sum + spanCount, 0);
  return spans / measured.reduce((sum, { spanCount, spansPerSecond }) => sum + spanCount / spansPerSecond, 0);
}

function readOptions(): { roundMs: number; rounds: number } {
  const { values } = parseArgs({ options: { ms: { type: 'string' }, rounds: { type: 'string' } } });
  const [roundMs, rounds] = [Number(values.ms ?? 50), Number(values.rounds ?? 12)];
  if (!(roundMs > 0 && rounds > 0)) throw new Error('--ms and --rounds take numbers above 0.');
  return { roundMs, rounds };
}

function readOptionsOrExit(): { roundMs: number; rounds: number } {
  try {
    return readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { roundMs, rounds } = readOptionsOrExit();
const measured = measure(roundMs, rounds);
const openinference = speedOf(measured.filter(({ folder }) => folder.startsWith('openinference-')));
console.log('| recording | spans | bytes/span | spans/s | of OpenInference |\n| --- | ---: | ---: | ---: | ---: |');
for (const { folder, spanCount, bytesPerSpan, spansPerSecond } of measured) {
  const cells = [folder, spanCount, Math.round(bytesPerSpan), Math.round(spansPerSecond)];
  console.log(`| ${cells.join(' | ')} | ${(spansPerSecond / openinference).toFixed(2)} |`);
}
console.log(`\nOpenInference: ${Math.round(openinference)} spans/s; all: ${Math.round(speedOf(measured))} spans/s`);
const slow = measured.filter(({ spansPerSecond }) => spansPerSecond < openinference * LEAST_RATIO);
if (slow.length > 0) {
  console.error(`Slower than a third of OpenInference: ${slow.map(({ folder }) => folder).join(', ')}`);
  process.exitCode = 1;
}
