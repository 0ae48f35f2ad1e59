/**
 * `npm run bench:deletion`: deletes a project of 1,000,000 spans while others arrive. Prints how long it takes to be gone from every
 * answer and from the disk, what memory that takes, and for how long senders wait. The data file is that of `npm run bench:query`.
 * With `--bulk delete` or `--bulk move` all traces of the project are deleted or moved by a job, whose time is told.
 */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { keptFreePages } from '#store/sqlite/give-back-pages';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { CACHE_FOLDER } from './cached-file.ts';
import { readCpuSeconds, readMemoryMb } from './process-usage.ts';
import { quantile } from './query/measure.ts';
import { monthFile } from './query/month-file.ts';
import { startSteadyLoad } from './query/steady-load.ts';
import { MONTH } from './query/traffic.ts';
import { type BenchServer, startBenchServer } from './server-process.ts';
import { findProjectId, query } from './ui/place.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    load: { type: 'string', default: '1000' },
    cache: { type: 'string', default: CACHE_FOLDER },
    /** Deletes its traces by time instead of the project. */
    clear: { type: 'boolean', default: false },
    /** `delete` or `move`: does that to all its traces by a bulk action instead. */
    bulk: { type: 'string' },
  },
});

/** How long senders are watched before anything is deleted. */
const WATCHED_MS = 30_000;

ensureBuilt(process.execPath);
const server = await startBenchServer(await monthFile(values.cache, Number(values.spans)), []);
try {
  const load = await startSteadyLoad({
    url: server.httpUrl,
    spansPerSecond: Number(values.load),
    project: 'arriving',
  });
  await sleep(WATCHED_MS);
  const before = await load.takeWaits();
  const id = await findProjectId(server.httpUrl, MONTH.project);
  const bytesBefore = statSync(server.dataFile).size;
  const cpuBefore = readCpuSeconds(server.pid);
  const startedAt = performance.now();
  await remove(server, id);
  const answeredMs = performance.now() - startedAt;
  await waitUntilGone(server, id);
  const goneMs = performance.now() - startedAt;
  const memory: number[] = [readMemoryMb(server.pid).nowMb];
  let spanCount = 0;
  for (let isFinished = false; !isFinished; ) {
    await sleep(1000);
    memory.push(readMemoryMb(server.pid).nowMb);
    const erased = await readMetric(server, 'cairn_erased_spans_total');
    isFinished =
      values.bulk === 'move' ||
      (erased > 0 && erased === spanCount && countFreePages(server) < 2 * keptFreePages(Infinity));
    spanCount = erased;
  }
  const erasedS = (performance.now() - startedAt) / 1000;
  const during = await load.takeWaits();
  await load.stop();
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    [
      `${spanCount.toLocaleString('en')} spans, ${values.load} spans/s arriving`,
      `answered after ${ms(answeredMs)}, gone from every answer after ${ms(goneMs)}`,
      `erased, and the file cut, after ${erasedS.toFixed(0)} s`,
      `processor ${(readCpuSeconds(server.pid) - cpuBefore).toFixed(0)} s, ingestion included`,
      `resident memory ${Math.min(...memory).toFixed(0)} to ${Math.max(...memory).toFixed(0)} MB`,
      `file ${(bytesBefore / 1e6).toFixed(0)} to ${(statSync(server.dataFile).size / 1e6).toFixed(0)} MB, with what arrived`,
      `${await readMetric(server, 'cairn_search_pending_spans')} spans that arrived wait for the search index`,
      `senders waited, p50 and p99: before ${ms(quantile(before, 0.5))} and ${ms(quantile(before, 0.99))}, during ${ms(quantile(during, 0.5))} and ${ms(quantile(during, 0.99))}`,
    ].join('\n'),
  );
} finally {
  await server.stop();
  server.remove();
}

async function remove(on: BenchServer, id: string): Promise<void> {
  const { httpUrl } = on;
  if (values.bulk !== undefined) return runBulkAction(on, id, values.bulk);
  if (values.clear) {
    await query(httpUrl, 'mutation ($id: ID!) { clearProject(input: { id: $id }) { __typename } }', { id });
    return;
  }
  const response = await fetch(`${httpUrl}/v1/projects/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (response.status !== 204) throw new Error(`${response.status} ${await response.text()}`);
}

/** Has a job delete or move all traces, and waits for its end. */
async function runBulkAction({ httpUrl }: BenchServer, projectId: string, kind: string): Promise<void> {
  const input = { projectId, rows: 'TRACES', matching: {} };
  const fields = 'id state totalCount doneCount';
  const begun =
    kind === 'move'
      ? await query<{ action: BulkState }>(
          httpUrl,
          `mutation ($input: BulkSelectionInput!, $to: ID!) { action: bulkMove(input: $input, toProjectId: $to) { ${fields} } }`,
          { input, to: await findProjectId(httpUrl, 'default') },
        )
      : await query<{ action: BulkState }>(
          httpUrl,
          `mutation ($input: BulkSelectionInput!) { action: bulkDelete(input: $input) { ${fields} } }`,
          { input },
        );
  const startedAt = performance.now();
  let notedMs = 0;
  for (let now = begun.action; ; await sleep(100)) {
    ({ action: now } = await query<{ action: BulkState }>(
      httpUrl,
      `query ($id: ID!) { action: node(id: $id) { ... on BulkAction { ${fields} } } }`,
      { id: now.id },
    ));
    if (notedMs === 0 && now.totalCount !== null) notedMs = performance.now() - startedAt;
    if (now.state === 'RUNNING') continue;
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const count = now.doneCount.toLocaleString('en');
    console.log(
      `${now.state}: ${count} traces after ${seconds(performance.now() - startedAt)}, noted after ${seconds(notedMs)}`,
    );
    return;
  }
}

interface BulkState {
  readonly id: string;
  readonly state: string;
  readonly totalCount: number | null;
  readonly doneCount: number;
}

async function waitUntilGone({ httpUrl }: BenchServer, id: string): Promise<void> {
  const text = 'query ($id: ID!) { nodes(ids: [$id]) { ... on Project { recordCount traceCount } } }';
  for (;;) {
    const { nodes } = await query<{ nodes: readonly ({ recordCount: number; traceCount: number } | null)[] }>(
      httpUrl,
      text,
      { id },
    );
    if ((nodes[0]?.recordCount ?? 0) + (nodes[0]?.traceCount ?? 0) === 0) return;
  }
}

function countFreePages({ dataFile }: BenchServer): number {
  const database = new Database(dataFile, { readonly: true });
  try {
    return Number(database.pragma('freelist_count', { simple: true }));
  } finally {
    database.close();
  }
}

async function readMetric({ httpUrl }: BenchServer, name: string): Promise<number> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
}
