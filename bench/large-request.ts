/**
 * Measures one request of very many spans, and what others feel of it: `npm run bench:large-request -- [traces] [spans of each]`.
 * @see docs/performance.md
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { encodeRequest, type TrafficSpan } from './encode-span.ts';
import { openHttpExporter } from './http-exporter.ts';
import { readMemoryMb } from './process-usage.ts';
import { Random } from './random.ts';
import { startBenchServer } from './server-process.ts';

const [traceCount = 100_000, spansPerTrace = 1] = process.argv.slice(2).map(Number);

/** Between two requests of the neighbour. */
const PAUSE_MS = 20;

/** 2026-01-01. */
const START_UNIX_NANO = 1_767_225_600_000_000_000n;
const MS = 1_000_000n;

/** The spans of some traces. */
function traces(random: Random, count: number): TrafficSpan[] {
  return Array.from({ length: count }).flatMap((_, trace) => {
    const traceId = random.bytes(16);
    const startUnixNano = START_UNIX_NANO + BigInt(trace) * MS;
    const rootId = random.bytes(8);
    return Array.from({ length: spansPerTrace }, (__, place) => ({
      traceId,
      spanId: place === 0 ? rootId : random.bytes(8),
      parentSpanId: place === 0 ? undefined : rootId,
      name: 'step',
      startUnixNano,
      endUnixNano: startUnixNano + MS,
      attributes: { 'openinference.span.kind': 'TOOL', 'input.value': random.text(100) },
    }));
  });
}

/** Sends small requests one after the other until it is told to stop; how long each took, in milliseconds, shortest first. */
async function neighbour(url: string, isOver: () => boolean): Promise<readonly number[]> {
  const random = new Random(2);
  const exporter = await openHttpExporter(url);
  const took: number[] = [];
  while (!isOver()) {
    const body = encodeRequest({ 'service.name': 'neighbour' }, traces(random, 1));
    const before = performance.now();
    await exporter.send(body);
    took.push(performance.now() - before);
    await sleep(PAUSE_MS);
  }
  exporter.close();
  return took.sort((a, b) => a - b);
}

ensureBuilt(process.execPath);
const body = encodeRequest({ 'service.name': 'large' }, traces(new Random(1), traceCount));
const server = await startBenchServer(undefined, []);
try {
  let isOver = false;
  const others = neighbour(server.httpUrl, () => isOver);
  const exporter = await openHttpExporter(server.httpUrl);
  const before = performance.now();
  await exporter.send(body);
  const seconds = (performance.now() - before) / 1000;
  isOver = true;
  exporter.close();
  const took = await others;
  const at = (share: number) => (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(0);
  const size = `${(body.length / 1e6).toFixed(0)} MB, ${traceCount} traces of ${spansPerTrace} spans`;
  console.log(
    `one request of ${size}: acknowledged after ${seconds.toFixed(1)} s, peak ${readMemoryMb(server.pid).peakMb.toFixed(0)} MB`,
  );
  console.log(
    `${took.length} small requests meanwhile: ${at(0.5)} ms at p50, ${at(0.95)} ms at p95, ${at(1)} ms at most`,
  );
  await server.stop();
} finally {
  server.remove();
}
