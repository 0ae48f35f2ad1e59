/** A bulk action goes on where it was when its server was stopped. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer } from '../harness/server.ts';
import { createTestData } from '../harness/test-data.ts';

const TRACES = 2000;

const BEGIN = `mutation ($id: ID!) { bulkDelete(input: { projectId: $id, rows: TRACES, matching: {} }) { id state } }`;
const READ = `query ($action: ID!) { node(id: $action) { ... on BulkAction { state doneCount totalCount } }
  getProjectByName(name: "default") { traceCount } }`;

interface Now {
  readonly node: { readonly state: string; readonly doneCount: number; readonly totalCount: number };
  readonly getProjectByName: { readonly traceCount: number };
}

it('begun before a stop, it is finished after the next start, and leaves alone what arrived since', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = await createTestData(folder);
  onTestFinished(() => data.remove());
  const settings = { WORKING_DIR: folder, ...data.settings };
  const spansOf = (first: number, count: number) =>
    traceRequest(
      Array.from({ length: count }, (_, place) => ({
        traceId: traceId(first + place),
        spanId: spanId(first + place),
      })),
    );
  let action = '';
  {
    await using server = await startTestServer(settings);
    await exportAll(server.url, spansOf(1, TRACES));
    const { getProjectByName } = await queryGraphql<{ getProjectByName: { id: string } }>(
      server.url,
      '{ getProjectByName(name: "default") { id } }',
    );
    const { bulkDelete } = await queryGraphql<{ bulkDelete: { id: string; state: string } }>(server.url, BEGIN, {
      id: getProjectByName.id,
    });
    expect(bulkDelete.state).toBe('RUNNING');
    action = bulkDelete.id;
    await exportAll(server.url, spansOf(TRACES + 1, 5));
  }
  await using server = await startTestServer(settings);
  const read = () => queryGraphql<Now>(server.url, READ, { action });
  await expect.poll(async () => (await read()).node.state).toBe('DONE');
  expect(await read()).toEqual({
    node: { state: 'DONE', doneCount: TRACES, totalCount: TRACES },
    getProjectByName: { traceCount: 5 },
  });
});
