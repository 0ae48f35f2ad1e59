/**
 * Measures compaction: `node scripts/run.mjs bench/compaction.ts`. How small traces of 50 turns become, and how long
 * acknowledgements take while traces that have just become quiet are compacted.
 * @see docs/performance.md
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { normalizeRequest } from '#normalize/normalize-request';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { planCompaction } from '#store/compaction/plan';
import { findQuietTraces } from '#store/compaction/queue';
import { sqliteDialect } from '#store/dialect/sqlite';
import { toIncoming } from '#store/incoming/request';
import { launchServerProcess } from '../test/harness/server-process.ts';
import { agentRun } from './agent-traffic.ts';
import { measureDisk, subtractDisk } from './disk-usage.ts';
import { encodeRequest, type TrafficSpan } from './encode-span.ts';
import { openHttpExporter } from './http-exporter.ts';
import { openBenchWriter } from './open-writer.ts';
import { Random } from './random.ts';
import { exporterRequests, SHAPES } from './shapes.ts';

const TURNS = 50;
const TRACES = 20;

/** Later than any block, so that every trace counts as quiet. */
const LAST_BLOCK = Number.MAX_SAFE_INTEGER;

/** One request of 80 spans every so often: a server that is always busy puts compaction off. */
const PAUSE_MS = 30;
const WARM_REQUESTS = 50;
const REQUESTS = 500;
/** Turns of both programs, one after the other: what differs by luck evens out. */
const ROUNDS = 5;

/** Shares of the raw bytes, before and after; each turn is a request of its own. */
async function measureSize(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-compaction-'));
  const path = join(folder, 'cairn.db');
  const { db, writer, close } = await openBenchWriter(path);
  const empty = measureDisk(path);
  const random = new Random(50);
  const clock = { nowUs: 1_767_225_600_000_000 };
  let rawBytes = 0;
  for (let trace = 0; trace < TRACES; trace++) {
    const run = agentRun(random, clock, TURNS);
    for (let spans = take(run, 2); spans.length > 0; spans = take(run, 2)) {
      const body = encodeRequest({ 'service.name': 'agents' }, spans);
      rawBytes += body.length;
      const context = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
      await writer.write([toIncoming(normalizeRequest(decodeExportTraceRequest(body), context))]);
    }
  }
  const before = describeDisk('before', subtractDisk(measureDisk(path), empty), rawBytes);
  let cpuSeconds = 0;
  for (let waiting = await findQuietTraces(db, sqliteDialect, LAST_BLOCK); waiting.length > 0; ) {
    for (const traceRowId of waiting) {
      const plan = await planCompaction(db, sqliteDialect, traceRowId);
      cpuSeconds += plan.cpuSeconds;
      await writer.compact([plan]);
    }
    waiting = await findQuietTraces(db, sqliteDialect, LAST_BLOCK);
  }
  const after = describeDisk('after', subtractDisk(measureDisk(path), empty), rawBytes);
  close();
  rmSync(folder, { recursive: true });
  const each = `${(rawBytes / TRACES / 1e6).toFixed(2)} MB raw, ${((cpuSeconds / TRACES) * 1000).toFixed(0)} ms CPU`;
  return [`${TRACES} traces of ${TURNS} turns, each ${each}`, before, after].join('\n');
}

function take(spans: Generator<TrafficSpan>, count: number): TrafficSpan[] {
  return Array.from({ length: count }, () => spans.next().value as TrafficSpan | undefined).filter(
    (span) => span !== undefined,
  );
}

function describeDisk(when: string, { blocks, rows, indexes }: ReturnType<typeof measureDisk>, rawBytes: number) {
  const percent = (bytes: number) => `${((bytes / rawBytes) * 100).toFixed(1)} %`;
  return `${when}: blocks ${percent(blocks)}, rows ${percent(rows)}, indexes ${percent(indexes)}, everything ${percent(blocks + rows + indexes)}`;
}

/** Milliseconds to acknowledgements, shortest first. */
async function measureLatency(program: URL): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-compaction-'));
  const server = await launchServerProcess(folder, { program }).ready;
  const exporter = await openHttpExporter(server.url);
  const requests = exporterRequests(SHAPES.agent, 7);
  const took: number[] = [];
  for (let request = 0; request < WARM_REQUESTS + REQUESTS; request++) {
    const { body } = requests.next().value as { body: Uint8Array };
    await sleep(PAUSE_MS);
    const before = performance.now();
    await exporter.send(body);
    if (request >= WARM_REQUESTS) took.push(performance.now() - before);
  }
  exporter.close();
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true });
  return took.sort((a, b) => a - b);
}

/** A share of all, or the median of several runs' shares. */
function at(ascending: readonly number[], share: number): number {
  return ascending[Math.floor(ascending.length * share)] as number;
}

function medianAt(runs: readonly (readonly number[])[], share: number): number {
  return at(
    runs.map((run) => at(run, share)).sort((a, b) => a - b),
    0.5,
  );
}

console.log(await measureSize());
// The first compacts a trace a minute after its last span, so not within this run; the second after 20 ms.
const programs = [
  ['without compaction', new URL('../src/main.ts', import.meta.url)],
  ['while compacting', new URL('../test/durability/compacting-server.ts', import.meta.url)],
] as const;
const runs = new Map<string, (readonly number[])[]>(programs.map(([kind]) => [kind, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [kind, program] of programs) runs.get(kind)?.push(await measureLatency(program));
}
for (const [kind, ofKind] of runs) {
  const [p50, p99] = [medianAt(ofKind, 0.5), medianAt(ofKind, 0.99)];
  console.log(
    `${kind}: acknowledged in ${p50.toFixed(1)} ms at p50, ${p99.toFixed(1)} ms at p99, medians of ${ROUNDS} runs`,
  );
}
