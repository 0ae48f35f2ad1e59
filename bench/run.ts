/** One run: a fresh server, one shape of traffic over one protocol, everything measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EngineName } from './arguments.ts';
import { type DiskUsage, subtractDisk } from './disk-usage.ts';
import type { LoadOrder, LoadReport, Protocol } from './load.ts';
import type { MeasuredServer } from './measured-server.ts';
import { startOnPostgres } from './on-postgres.ts';
import { startOnSqlite } from './on-sqlite.ts';
import { readCpuSeconds, readMemoryMb } from './process-usage.ts';
import type { ShapeName } from './shapes.ts';

/** What to run. */
export interface RunPlan {
  readonly shape: ShapeName;
  readonly protocol: Protocol;
  readonly engine: EngineName;
  readonly spanCount: number;
  readonly seed: number;
  /** The data file to begin with; `undefined` for an empty database. */
  readonly base: string | undefined;
  /** What of the disk the base takes. */
  readonly baseDisk: DiskUsage;
  readonly nodeOptions: readonly string[];
}

/** What was measured. Bytes are of all spans of the run; MB are 10^6 bytes. */
export interface RunResult {
  readonly spansPerSecond: number;
  readonly megabytesPerSecond: number;
  readonly ceilingSpansPerSecond: number;
  readonly ceilingRatio: number;
  readonly cpuUsPerSpan: number;
  /** Of the processes of the database; 0 where it is in the server's. */
  readonly databaseCpuUsPerSpan: number;
  readonly loadCpuUsPerSpan: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly spansPerCommit: number;
  readonly rawBytesPerSpan: number;
  readonly blockBytesPerSpan: number;
  readonly rowBytesPerSpan: number;
  readonly indexBytesPerSpan: number;
  /** Bytes on disk to raw bytes. */
  readonly diskRatio: number;
  readonly startMs: number;
  readonly idleMb: number;
  readonly peakMb: number;
}

/** How long a server is left alone before its idle memory is read. */
const IDLE_MS = 1500;

/** Runs the plan on a server of its own. */
export async function run(plan: RunPlan): Promise<RunResult> {
  const measured = await (plan.engine === 'sqlite' ? startOnSqlite(plan) : startOnPostgres(plan));
  const { server } = measured;
  try {
    await sleep(IDLE_MS);
    const idleMb = readMemoryMb(server.pid).nowMb;
    const load = await runLoad(measured, plan);
    const { peakMb } = readMemoryMb(server.pid);
    await server.stop();
    const disk = subtractDisk(await measured.measureDisk(), plan.baseDisk);
    const { done, serverCpuSeconds, databaseCpuSeconds, commitCount } = load;
    const spansPerSecond = done.spanCount / done.seconds;
    const ceilingSpansPerSecond = await measured.measureCeiling(commitCount);
    const rawBytesPerSpan = done.bodyBytes / done.spanCount;
    return {
      spansPerSecond,
      megabytesPerSecond: done.bodyBytes / done.seconds / 1e6,
      ceilingSpansPerSecond,
      ceilingRatio: spansPerSecond / ceilingSpansPerSecond,
      cpuUsPerSpan: (serverCpuSeconds / done.spanCount) * 1e6,
      databaseCpuUsPerSpan: (databaseCpuSeconds / done.spanCount) * 1e6,
      loadCpuUsPerSpan: (done.cpuSeconds / done.spanCount) * 1e6,
      p50Ms: done.acknowledgeMs.p50,
      p99Ms: done.acknowledgeMs.p99,
      spansPerCommit: load.spanCount / commitCount,
      rawBytesPerSpan,
      ...perSpan(disk, load.spanCount),
      diskRatio: (disk.blocks + disk.rows + disk.indexes) / load.spanCount / rawBytesPerSpan,
      startMs: server.startMs,
      idleMb,
      peakMb,
    };
  } finally {
    await measured.remove();
  }
}

function perSpan({ blocks, rows, indexes }: DiskUsage, spanCount: number) {
  return {
    blockBytesPerSpan: blocks / spanCount,
    rowBytesPerSpan: rows / spanCount,
    indexBytesPerSpan: indexes / spanCount,
  };
}

type Done = Extract<LoadReport, { stage: 'done' }>;

async function runLoad(measured: MeasuredServer, { shape, protocol, spanCount, seed }: RunPlan) {
  const { pid, httpUrl, grpcAddress } = measured.server;
  const order: LoadOrder = { shape, protocol, spanCount, seed, httpUrl, grpcAddress };
  const generator = fork(fileURLToPath(new URL('load.ts', import.meta.url)), [JSON.stringify(order)], {
    execArgv: ['--max-old-space-size=8192'],
  });
  await nextReport(generator);
  const commitsBefore = await measured.countCommits();
  generator.send('warm up');
  await nextReport(generator);
  const cpuBefore = readCpuSeconds(pid);
  const databaseCpuBefore = measured.readDatabaseCpuSeconds();
  generator.send('go');
  const done = (await nextReport(generator)) as Done;
  const serverCpuSeconds = readCpuSeconds(pid) - cpuBefore;
  const databaseCpuSeconds = measured.readDatabaseCpuSeconds() - databaseCpuBefore;
  const commitCount = ((await measured.countCommits()) - commitsBefore) >>> 0;
  return { done, serverCpuSeconds, databaseCpuSeconds, commitCount, spanCount: done.allSpanCount };
}

async function nextReport(generator: ChildProcess): Promise<LoadReport> {
  const ended = once(generator, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${String(code)}`);
  });
  const [report] = (await Promise.race([once(generator, 'message'), ended])) as [LoadReport];
  return report;
}
