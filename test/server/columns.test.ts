import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer } from '../harness/server.ts';

const SPANS = 100;
const folder = mkdtempSync(join(tmpdir(), 'cairn-columns-'));
afterAll(() => rmSync(folder, { recursive: true }));

function withData<T>(work: (data: Database.Database) => T): T {
  const data = new Database(join(folder, 'cairn.db'));
  try {
    return work(data);
  } finally {
    data.close();
  }
}

/** How often each segment was built, and how many rows it has. */
function readBuilds(): unknown {
  return withData((data) => data.prepare('SELECT segment, build, row_count FROM span_segments').raw().all());
}

async function waitForMetric(url: string, line: string): Promise<void> {
  await expect.poll(async () => (await fetch(`${url}/metrics`)).text(), { timeout: 170_000 }).toContain(`${line}\n`);
}

// What builds gets the processor only when nobody else wants it, which takes as long as the machine is busy.
it('columns are built when their row ids are given out, and anew when somebody says so', {
  timeout: 180_000,
}, async () => {
  {
    await using server = await startTestServer({ WORKING_DIR: folder });
    await exportAll(
      server.url,
      traceRequest(Array.from({ length: SPANS }, (_, place) => ({ spanId: spanId(place + 1) }))),
    );
    await server.server.close();
  }
  withData((data) => data.exec("UPDATE row_ids SET next_id = 8192 WHERE table_name = 'spans'"));
  {
    await using server = await startTestServer({ WORKING_DIR: folder });
    await waitForMetric(server.url, `cairn_columns_spans_total ${SPANS}`);
    await waitForMetric(server.url, 'cairn_columns_lag_spans 0');
    const body = JSON.stringify({ columns: true });
    const headers = { 'content-type': 'application/json' };
    const started = await fetch(`${server.url}/v1/reindex`, { method: 'POST', headers, body });
    expect([started.status, await started.json()]).toMatchObject([202, { data: { is_running: false } }]);
    await waitForMetric(server.url, `cairn_columns_spans_total ${2 * SPANS}`);
    // Once all is quiet, nothing but the data file is left.
    await expect.poll(() => statSync(join(folder, 'cairn.db-wal')).size, { timeout: 60_000 }).toBe(0);
    expect(server.complaints).toEqual([]);
    await server.server.close();
  }
  const builds = [
    [0, 2, SPANS],
    [1, 2, 0],
  ];
  expect(readBuilds()).toEqual(builds);
  const { exitCode, stdout, stderr } = await runCairn(['reindex', '--columns', '--data', folder]);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Done.');
  expect(readBuilds()).toEqual(builds.map(([segment, , rows]) => [segment, 3, rows]));
});
