/** Two servers on one PostgreSQL database, behind which it does not matter which of them one asks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { copyBetween } from '#store/open/copy-between';
import { readDatabaseStatus } from '#store/open/administer';
import { postGraphql, queryGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { createTestDatabase, describePostgres, type TestDatabase } from '../harness/postgres/databases.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { urlOf } from '../harness/test-data.ts';

const SPANS = 600;
const JOBS = 6;

/** By the clock of the database. */
const NOW_US = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';
const DEFAULT_PROJECT = 'UHJvamVjdDox';

describePostgres('two servers on one database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-two-servers-'));
  let database: TestDatabase;
  let leader: ServerProcess;
  let other: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase({ template: MIGRATED });
    const settings = { SQL_DATABASE_URL: urlOf(database.address) };
    leader = await startServerProcess(folder, settings);
    await vi.waitFor(async () => expect(await leaders()).toHaveLength(1), { timeout: 50_000 });
    other = await startTestServer(settings);
    const spans = Array.from({ length: SPANS }, (_, place) => span(place + 1));
    for (let first = 0; first < SPANS; first += 100) {
      await exportAll([leader, other][(first / 100) % 2]?.url ?? '', traceRequest(spans.slice(first, first + 100)));
    }
  });

  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    leader.child.kill('SIGKILL');
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Servers that hold all standing jobs. */
  async function leaders(): Promise<readonly string[]> {
    const rows = await database.query<{ owner: string; count: string }>(`SELECT owner, count(*) AS count FROM jobs
      WHERE finished_at_us IS NULL AND leased_until_us > ${NOW_US} AND kind NOT IN ('reindex', 'repricing') GROUP BY owner`);
    return rows.filter(({ count }) => Number(count) === JOBS).map(({ owner }) => owner);
  }

  async function countSpans(url: string): Promise<number> {
    const { node } = await queryGraphql<{ node: { recordCount: number } }>(
      url,
      `{ node(id: "${DEFAULT_PROJECT}") { ... on Project { recordCount } } }`,
    );
    return node.recordCount;
  }

  it('are no fault to the doctor, who sees that a Cairn has the ports', async () => {
    const ports = [other.url, `http://${other.grpcAddress}`].map((url) => new URL(url).port);
    const { exitCode, stdout } = await runCairn(['doctor'], {
      SERVICE_SQL_DATABASE_URL: urlOf(database.address),
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: `${ports[0]}`,
      SERVICE_GRPC_PORT: `${ports[1]}`,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Nothing needs fixing.')]);
    for (const port of ports)
      expect(stdout).toMatch(
        new RegExp(`✓ .* port: ${port} is in use by the running server .*responds at ${other.url}`),
      );
  });

  it('keep all that either was sent, and both show it', async () => {
    expect([await countSpans(leader.url), await countSpans(other.url)]).toEqual([SPANS, SPANS]);
    const ids = await database.query<{ count: string; last: string }>(
      'SELECT count(*) AS count, max(id) AS last FROM spans',
    );
    expect(ids).toEqual([{ count: `${SPANS}`, last: `${SPANS}` }]);
  });

  it('index what either was sent, and find it from both', async () => {
    for (const { url } of [leader, other]) {
      const found = async () => {
        const { getProjectByName: project } = await queryGraphql<{
          getProjectByName: { search: { edges: unknown[]; currency: { pendingSpanCount: number } } };
        }>(
          url,
          '{ getProjectByName(name: "default") { search(text: "parcel599") { edges { cursor } currency { pendingSpanCount } } } }',
        );
        return [project.search.edges.length, project.search.currency.pendingSpanCount];
      };
      await expect.poll(found).toEqual([1, 0]);
    }
  });

  it('tell each other what changed while somebody watches', async () => {
    const query = `subscription { projectChanges(projectId: "${DEFAULT_PROJECT}") { traceIds } }`;
    for (const [watched, sender] of [
      [leader, other],
      [other, leader],
    ] as const) {
      const response = await postGraphql(watched.url, { query }, { accept: 'text/event-stream' });
      const events = readEvents<{ projectChanges: { traceIds: string[] | null } }>(response);
      expect((await events.next()).value?.data?.projectChanges.traceIds).toBeNull();
      await exportAll(sender.url, traceRequest([span(1)]));
      await exportAll(sender.url, traceRequest([span(sender === other ? 10_010 : 10_020)]));
      const { value } = await events.next();
      expect(value?.data?.projectChanges.traceIds).toEqual([traceId(sender === other ? 1001 : 1002)]);
      await response.body?.cancel().catch(() => undefined);
    }
  });

  it('tell each other of projects that are created and changed', async () => {
    const lastChange = async (url: string) =>
      (await queryGraphql<{ projectsLastUpdatedAt: string }>(url, '{ projectsLastUpdatedAt }')).projectsLastUpdatedAt;
    const before = await lastChange(leader.url);
    await queryGraphql(other.url, 'mutation { createProject(input: { name: "new" }) { project { id } } }');
    await expect.poll(() => lastChange(leader.url)).not.toBe(before);
    const query = `subscription { projectChanges(projectId: "${DEFAULT_PROJECT}") { traceIds project { description } } }`;
    const response = await postGraphql(leader.url, { query }, { accept: 'text/event-stream' });
    const events = readEvents<{ projectChanges: object }>(response);
    await events.next();
    await queryGraphql(
      other.url,
      `mutation { patchProject(input: { id: "${DEFAULT_PROJECT}", description: "ours" }) { project { id } } }`,
    );
    expect((await events.next()).value?.data?.projectChanges).toEqual({
      traceIds: [],
      project: { description: 'ours' },
    });
    await response.body?.cancel().catch(() => undefined);
  });

  it('store what waits for a span of one with the commit of the other', async () => {
    for (const [first, second, number] of [
      [leader, other, 10_030],
      [other, leader, 10_040],
    ] as const) {
      const { traceId: ofTrace, spanId: ofSpan } = span(number);
      const said = { name: 'early', annotator_kind: 'CODE', result: { score: number } };
      const answers = await Promise.all([
        postJson(`${first.url}/v1/span_annotations`, { data: [{ ...said, span_id: ofSpan }] }),
        postJson(`${first.url}/v1/trace_annotations`, { data: [{ ...said, trace_id: ofTrace }] }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await database.query('SELECT 1 FROM waiting_annotations')).toHaveLength(2);
      await exportAll(second.url, traceRequest([span(number)]));
      const stored = await database.query(`SELECT annotations.target FROM annotations
        JOIN spans ON spans.id = CASE target WHEN 'span' THEN target_row_id ELSE spans.id END
        JOIN traces ON traces.id = spans.trace_row_id AND (target = 'span' OR traces.id = target_row_id)
        WHERE annotations.name = 'early' AND spans.span_id = '${ofSpan}' ORDER BY target`);
      expect(stored).toEqual([{ target: 'span' }, { target: 'trace' }]);
      expect(await database.query('SELECT 1 FROM waiting_annotations')).toEqual([]);
      const read = await fetch(`${first.url}/v1/projects/default/span_annotations?span_ids=${ofSpan}`);
      expect(await read.json()).toMatchObject({ data: [{ name: 'early', result: { score: number } }] });
    }
  });

  it('erase at once what the one deletes that does not lead', async () => {
    const before = await countSpans(leader.url);
    const startedAt = performance.now();
    const deleted = await fetch(`${other.url}/v1/traces/${traceId(2)}`, { method: 'DELETE' });
    expect(deleted.status).toBeLessThan(300);
    const tookMs = performance.now() - startedAt;
    expect(await countSpans(leader.url)).toBe(before - 10);
    const left = await database.query(`SELECT 1 FROM spans JOIN traces ON traces.id = trace_row_id
      WHERE trace_id = '${traceId(2)}'`);
    expect(left).toEqual([]);
    // It was told, and did not only lose its patience.
    expect(tookMs).toBeLessThan(1000);
  });

  it('are counted, and keep copies away from their database', async () => {
    const here = { engine: 'postgres', address: database.address, serverId: 'test', blockAboveBytes: null } as const;
    expect(await readDatabaseStatus(here)).toMatchObject({ serverCount: 2, serverPids: [] });
    const file = { engine: 'sqlite', path: join(folder, 'copy.db'), blockAboveBytes: null } as const;
    const watcher = { onProgress: () => undefined, signal: new AbortController().signal };
    await expect(copyBetween(here, file, watcher)).rejects.toThrow(/A Cairn server uses the database at .*: stop all/);
  });

  it('say the same of a job, whichever does it', async () => {
    await database.query(`UPDATE spans SET model_name = NULL, prompt_tokens = NULL`);
    const started = await postJson(`${other.url}/v1/reindex`, { normalise: true });
    expect(started.status).toBe(202);
    expect(await status(leader.url)).toMatchObject({ started_at: expect.any(String) as string });
    await expect.poll(() => status(leader.url)).toMatchObject({ is_running: false, progress: 1, failed_count: 0 });
    expect(await status(other.url)).toEqual(await status(leader.url));
    expect(await database.query('SELECT 1 FROM spans WHERE prompt_tokens IS NULL')).toEqual([]);
  });

  it('go on within ten seconds with the jobs of one that is killed, however new its leases were', async () => {
    const [killed] = await leaders();
    await database.query(`UPDATE spans SET model_name = NULL, prompt_tokens = NULL`);
    const [last] = await database.query<{ id: number }>('SELECT max(id)::int AS id FROM spans');
    const endRowId = (last?.id ?? 0) + 1;
    const progress = { firstRowId: 1, endRowId, nextRowId: 1, readCount: 0, changedCount: 0, failedCount: 0 };
    await database.query(
      `INSERT INTO jobs (kind, input, state, progress, owner, leased_until_us, started_at_us)
        VALUES ('reindex', '{"version":0}', 'running', '${JSON.stringify(progress)}', '${killed}', ${NOW_US} + 6000000, 1)`,
    );
    const killedAt = performance.now();
    leader.child.kill('SIGKILL');
    const taken = `SELECT owner FROM jobs WHERE owner <> '${killed}' AND leased_until_us > ${NOW_US}`;
    await expect.poll(async () => (await database.query(taken)).length, { interval: 20 }).toBe(JOBS + 1);
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    await expect.poll(() => status(other.url)).toMatchObject({ is_running: false, progress: 1, failed_count: 0 });
    expect(await database.query('SELECT 1 FROM spans WHERE prompt_tokens IS NULL')).toEqual([]);
    expect(await leaders()).toHaveLength(1);
    expect(other.complaints).toEqual([]);
  });
});

async function status(url: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/reindex`);
  return ((await response.json()) as { data: unknown }).data;
}

function postJson(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

function span(number: number) {
  return {
    traceId: traceId(Math.ceil(number / 10)),
    spanId: spanId(number),
    name: `step ${number}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': number,
      'input.value': `Where is parcel${number}?`,
    },
  };
}
