/**
 * `npm run bench:search-index`: what indexing costs, in one thread and without a server: processor time of planning and of storing a
 * span, how long the transactions of steps are, and bytes by table, for prose of which no span repeats another.
 */
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EnvelopeCache } from '#store/spans/rows/envelope-cache';
import { TraceTrees } from '#store/spans/rows/trace-trees';
import { planIndex } from '#store/search/plan-index';
import { STEPS } from '#store/search/plan-where-idle';
import { storeIndex } from '#store/search/store-index';
import { openSqliteReadEngine } from '#store/sqlite/engine';
import { storeRequests } from './cached-file.ts';
import { encodeRequest } from './encode-span.ts';
import { openBenchWriter } from './open-writer.ts';
import { proseTraffic } from './plain-traffic.ts';
import { quantile } from './query/measure.ts';
import { Random } from './random.ts';

const { values } = parseArgs({
  options: { spans: { type: 'string', default: '20000' }, keep: { type: 'string' } },
});
const spanCount = Number(values.spans);
const SPANS_PER_REQUEST = 80;

const folder = mkdtempSync(join(tmpdir(), 'cairn-search-index-'));
try {
  const path = values.keep ?? join(folder, 'cairn.db');
  let rawBytes = 0;
  await storeRequests(path, requests(), spanCount);
  const { writer, close } = await openBenchWriter(path);
  const reader = openSqliteReadEngine({ path });
  const scope = { ...reader, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
  const seconds = { plan: 0, store: 0 };
  const storeMs: number[] = [];
  for (;;) {
    const plan = await timed('plan', () => planIndex(scope, STEPS.patient));
    if (plan === undefined) break;
    const startedAt = performance.now();
    await timed('store', () => writer.change((change) => storeIndex(change, plan)));
    storeMs.push(performance.now() - startedAt);
  }
  await reader.close();
  close();
  const perSpan = (value: number) => ((value / spanCount) * 1e6).toFixed(0);
  console.log(`plan ${perSpan(seconds.plan)} µs/span, store ${perSpan(seconds.store)} µs/span of processor time`);
  console.log(
    `${storeMs.length} transactions: median ${quantile(storeMs, 0.5).toFixed(1)} ms, p99 ${quantile(storeMs, 0.99).toFixed(1)} ms`,
  );
  printBytes(path, rawBytes);

  function* requests(): Generator<Uint8Array> {
    const spans = proseTraffic(new Random(1));
    const resource = { 'service.name': 'reader', 'openinference.project.name': 'prose' };
    for (;;) {
      const body = encodeRequest(
        resource,
        Array.from({ length: SPANS_PER_REQUEST }, () => spans.next().value),
      );
      rawBytes += body.length;
      yield body;
    }
  }

  async function timed<Result>(step: keyof typeof seconds, work: () => Promise<Result>): Promise<Result> {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    seconds[step] += (user + system) / 1e6;
    return result;
  }
} finally {
  rmSync(folder, { recursive: true });
}

function printBytes(path: string, rawBytes: number): void {
  const database = new Database(path, { readonly: true });
  const rows = database
    .prepare(
      `SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search%' GROUP BY name ORDER BY bytes DESC`,
    )
    .all() as { name: string; bytes: number }[];
  database.close();
  for (const { name, bytes } of [...rows, { name: 'all', bytes: rows.reduce((sum, row) => sum + row.bytes, 0) }])
    console.log(
      `${name.padEnd(28)} ${(bytes / spanCount).toFixed(0).padStart(6)} bytes/span ${((bytes / rawBytes) * 100).toFixed(1).padStart(6)} %`,
    );
}
