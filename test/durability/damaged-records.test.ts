/** Damaged pages of tables that a start reads, or that many spans share: the server starts, and serves what does not need them. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { damageLeaves } from '../../src/store/sqlite/damaged-leaves.fixture.ts';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { storeTraces } from './damage.ts';

const ADMIN_SECRET = `${'administrator-'.repeat(3)}1`;
const SETTINGS = { ENABLE_AUTH: 'true', SECRET: `${'server-'.repeat(5)}1`, ADMIN_SECRET };
const TRACES = 3;

let folder: string;

beforeEach(() => {
  folder = createTestFolder('damaged-records');
});

afterEach(() => removeTestFolder(folder));

it('starts beside damaged accounts, jobs, resources and unlisted traces', { timeout: 180_000 }, async () => {
  const first = await startServerProcess(folder);
  await storeTraces(first.url, TRACES, 2);
  await first.end('SIGTERM');
  for (const table of ['users', 'jobs', 'otel_resources', 'unlisted_traces'])
    damageLeaves(join(folder, 'cairn.db'), table, [0]);

  const server = await startServerProcess(folder, SETTINGS);
  expect(server.output()).toContain('The accounts cannot be read.');
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${ADMIN_SECRET}`, 'content-type': 'application/json' },
    });
  const signIn = await ask('/auth/login', { method: 'POST', body: '{"email":"admin@localhost","password":"guess"}' });
  expect([signIn.status, await signIn.text()]).toEqual([500, expect.stringContaining('The database is damaged')]);

  const spans = await ask('/v1/projects/default/spans');
  const page = (await spans.json()) as { readonly data: unknown[]; readonly damaged: unknown[] };
  expect([spans.status, page.data.length, page.damaged.length]).toEqual([200, 0, 2 * TRACES]);
  const traces = (await (await ask('/v1/projects/default/traces')).json()) as { readonly data: unknown[] };
  expect(traces.data).toHaveLength(TRACES);
  const query = '{ projects { edges { node { recordCount spans(first: 50) { edges { node { name damage } } } } } } }';
  const asked = await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) });
  const span = { node: { name: expect.any(String), damage: expect.stringContaining('its resource') } };
  const edges = Array.from({ length: 2 * TRACES }, () => span);
  expect(await asked.json()).toEqual({
    data: { projects: { edges: [{ node: { recordCount: 2 * TRACES, spans: { edges } } }] } },
  });

  const sent = { traceId: traceId(900), spanId: spanId(900), name: 'later' };
  expect((await ask('/v1/traces', { method: 'POST', body: traceBody([sent]) })).status).toBe(503);
  const ready = await ask('/readyz?verbose');
  expect([ready.status, await ready.json()]).toEqual([
    200,
    {
      storing_problem: expect.stringContaining('the database is damaged'),
      damaged: expect.objectContaining({ span: 2 * TRACES, database: expect.any(Number) }),
      verification: null,
    },
  ]);
  expect((await ask('/readyz?require=storing')).status).toBe(503);
  expect(await (await ask('/metrics')).text()).toMatch(/^cairn_damaged_items\{kind="database"\} [1-9]/m);
  for (const table of ['users', 'jobs', 'otel_resources'])
    await expect.poll(server.output, { timeout: 60_000 }).toContain(`Rows of the table ${table} cannot be read.`);
  expect(server.output().split('Rows of the table users cannot be read.')).toHaveLength(2);
  await expect.poll(server.output, { timeout: 60_000 }).toContain('were damaged (unlisted_traces)');
  expect(await server.end('SIGTERM')).toBe(0);
});
