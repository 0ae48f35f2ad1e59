import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer } from '../harness/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-bulk-jobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MATCHING = { filter: null, startTimeUs: null, endTimeUs: null, exceptRowIds: [] };

/** Leaves a job as another version left it. */
function addJob(matching: object, state = 'running'): void {
  const input = {
    kind: 'delete',
    rows: 'trace',
    toProjectRowId: null,
    matching,
    below: { span: 9, trace: 9, session: 9 },
  };
  const progress = { phase: 'noting', after: null, notedCount: 0, doneCount: 0, goneCount: 0, refusedCount: 0 };
  const data = new Database(join(folder, 'cairn.db'));
  const { id } = data.prepare("SELECT id FROM projects WHERE name = 'default'").get() as { id: number };
  data
    .prepare(
      "INSERT INTO jobs (kind, input, project_id, state, progress, started_at_us) VALUES ('bulk', ?, ?, ?, ?, 1)",
    )
    .run(JSON.stringify(input), id, state, JSON.stringify(progress));
  data.close();
}

async function readActions(url: string): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/v1/projects/default/bulk_actions`);
  return ((await response.json()) as { data: readonly unknown[] }).data;
}

it('a bulk action whose filter this version cannot read is given up, and says why', async () => {
  {
    await using server = await startTestServer({ WORKING_DIR: folder });
    await exportAll(server.url, traceRequest([{ traceId: traceId(1), spanId: spanId(1), name: 'kept' }]));
    await server.server.close();
  }
  addJob({ ...MATCHING, filter: 'word_of_tomorrow == 1' });
  await using server = await startTestServer({ WORKING_DIR: folder });
  await expect
    .poll(() => readActions(server.url))
    .toMatchObject([{ state: 'failed', error: 'This version cannot read the filter "word_of_tomorrow == 1".' }]);
  const response = await fetch(`${server.url}/v1/projects/default/traces`);
  expect(((await response.json()) as { data: readonly unknown[] }).data).toHaveLength(1);
});

it('a project has five of them at a time, and the message says when to try again', async () => {
  for (let count = 0; count < 5; count++) addJob(MATCHING, 'paused');
  await using server = await startTestServer({ WORKING_DIR: folder });
  const response = await fetch(`${server.url}/v1/projects/default/bulk_actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'delete', rows: 'traces', matching: {} }),
  });
  expect([response.status, await response.text()]).toEqual([
    429,
    expect.stringContaining('5 bulk actions of this project are under way: try again when one of them is finished.'),
  ]);
});
