/** Damaged pages of tables that a start reads, or that many spans share: the server starts, and serves what does not need them. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { damageLeaves } from '../../src/store/sqlite/damaged-leaves.fixture.ts';
import { logsRequest, spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { storeTraces } from './damage.ts';

const ADMIN_SECRET = `${'administrator-'.repeat(3)}1`;
const SETTINGS = { ENABLE_AUTH: 'true', SECRET: `${'server-'.repeat(5)}1`, ADMIN_SECRET };
const TRACES = 3;
const NEVER_RENEWED = ['users', 'jobs'];
const RENEWED = ['otel_resources', 'projects', 'annotations', 'ingest_ledger'];

let folder: string;

beforeEach(() => {
  folder = createTestFolder('damaged-records');
});

afterEach(() => removeTestFolder(folder));

it('starts beside damaged records, names what is lost, and stores', { timeout: 240_000 }, async () => {
  const first = await startServerProcess(folder);
  await storeTraces(first.url, TRACES, 2);
  const annotated = [spanId(100), spanId(101)];
  const data = annotated.map((span_id) => ({
    span_id,
    name: 'quality',
    annotator_kind: 'HUMAN',
    result: { score: 1 },
  }));
  const added = await fetch(`${first.url}/v1/span_annotations?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  expect(added.status).toBe(200);
  await first.end('SIGTERM');
  for (const table of [...NEVER_RENEWED, ...RENEWED, 'unlisted_traces', 'log_record_blocks'])
    damageLeaves(join(folder, 'cairn.db'), table, [0]);

  const server = await startServerProcess(folder, SETTINGS);
  expect(server.output()).toContain('The accounts cannot be read.');
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${ADMIN_SECRET}`, 'content-type': 'application/json' },
    });
  const send = (number: number, resource = {}) =>
    ask('/v1/traces', {
      method: 'POST',
      body: traceBody([{ traceId: traceId(number), spanId: spanId(number), name: 'later' }], resource),
    });
  const signIn = await ask('/auth/login', { method: 'POST', body: '{"email":"admin@localhost","password":"guess"}' });
  expect([signIn.status, await signIn.text()]).toEqual([500, expect.stringContaining('The database is damaged')]);

  // Whatever meets a damaged page has the tables made again; until then it is refused.
  for (const table of RENEWED) {
    const isRenewed = async () => {
      await ask('/v1/projects/default/spans');
      return server.output();
    };
    await expect
      .poll(isRenewed, { timeout: 60_000, interval: 500 })
      .toContain(`The table ${table} was damaged and has been made again.`);
  }
  for (const span of annotated)
    expect(server.output()).toContain(`The annotation \\"quality\\" of the span ${span} is lost.`);
  expect(server.output()).toContain('The project \\"default\\" has lost its description, colours and dates.');
  const list = async () => {
    const spans = await ask('/v1/projects/default/spans');
    const page = (await spans.json()) as { readonly data: unknown[]; readonly damaged?: unknown[] };
    return [spans.status, page.data.length, page.damaged?.length ?? 0];
  };
  expect(await list()).toEqual([200, 0, 2 * TRACES]);
  const traces = (await (await ask('/v1/projects/default/traces')).json()) as { readonly data: unknown[] };
  expect(traces.data).toHaveLength(TRACES);
  const fields = 'recordCount spans(first: 50) { edges { node { name damage spanAnnotations { name } } } }';
  const query = `{ projects { edges { node { name ${fields} } } } }`;
  const asked = await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) });
  const damage = expect.stringContaining('its resource');
  const span = { node: { name: expect.any(String), damage, spanAnnotations: [] } };
  const edges = Array.from({ length: 2 * TRACES }, () => span);
  expect(await asked.json()).toEqual({
    data: { projects: { edges: [{ node: { name: 'default', recordCount: 2 * TRACES, spans: { edges } } }] } },
  });

  expect((await send(900, { 'service.name': 'another' })).status).toBe(200);
  expect(await list()).toEqual([200, 1, 2 * TRACES]);
  const record = { traceId: traceId(900), spanId: spanId(900), eventName: 'gen_ai.choice', body: 'later' };
  expect((await ask('/v1/logs', { method: 'POST', body: JSON.stringify(logsRequest([record])) })).status).toBe(503);
  const ready = await ask('/readyz?verbose');
  expect([ready.status, await ready.json()]).toEqual([
    200,
    {
      storing_problem: expect.stringContaining('the database is damaged'),
      damaged: expect.objectContaining({ span: 1, resource: 1, record: 4, database: expect.any(Number) }),
      verification: null,
    },
  ]);
  expect((await ask('/readyz?require=storing')).status).toBe(503);
  expect(await (await ask('/metrics')).text()).toMatch(/^cairn_damaged_items\{kind="database"\} [1-9]/m);
  for (const table of NEVER_RENEWED)
    await expect.poll(server.output, { timeout: 120_000 }).toContain(`Rows of the table ${table} cannot be read.`);
  expect(server.output().split('Rows of the table users cannot be read.')).toHaveLength(2);
  await expect.poll(server.output, { timeout: 60_000 }).toContain('were damaged (unlisted_traces)');

  // The spans that share a resource are said once, and whole again when one of them brings it.
  await expect
    .poll(server.output, { timeout: 60_000 })
    .toContain(`The resource 1 is lost, and with it at least ${2 * TRACES} spans`);
  expect(server.output()).not.toContain('The stored original of span');
  expect((await send(901)).status).toBe(200);
  expect(await list()).toEqual([200, 2 * TRACES + 2, 0]);
  expect(await server.end('SIGTERM')).toBe(0);
});
