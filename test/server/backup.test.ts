import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '#store/sqlite/connection';
import { type FinishedProcess, type StartedProcess, startNode } from '../../src/cli/child-process.ts';
import { ClientList } from '../durability/client-list.ts';
import { findContradictions } from '../durability/contradictions.ts';
import { openGrpcExporter, openHttpExporter } from '../durability/exporter.ts';
import { randomNumbers } from '../traffic/random.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getAll, getJson } from '../harness/rest.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';

const folder = createTestFolder('backup');
const data = join(folder, 'cairn.db');
const backup = join(folder, 'backup.db');
const PROGRAM = fileURLToPath(new URL('main.js', process.env['CAIRN_TEST_PROGRAM']));

/** Enough that a command can be killed while it copies them. */
const BALLAST_SPANS = 6;
const BALLAST_BYTES = 3_000_000;

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess(folder);
  for (let number = 1; number <= BALLAST_SPANS; number++) {
    const attributes = { ballast: new Uint8Array(randomBytes(BALLAST_BYTES)) };
    const span = { traceId: traceId(0xb000 + number), spanId: spanId(0xb000 + number), attributes };
    await exportAll(server.url, traceRequest([span]));
  }
});
afterAll(async () => {
  await server.end('SIGKILL');
  removeTestFolder(folder);
});

it('copies all that was acknowledged when it began, while clients send, and nothing by half', async () => {
  const clients = Array.from({ length: 4 }, (_, client) => new ClientList(client, randomNumbers(client)));
  let isSending = true;
  const sending = clients.map(async (client, place) => {
    const exporter = place % 2 === 0 ? openHttpExporter(server) : openGrpcExporter(server);
    while (isSending) {
      expect(await exporter.send(client.next())).toBe('acknowledged');
      client.acknowledge();
    }
    exporter.close();
  });
  const killed = startDb('backup', backup);
  await killAfter(killed, /^Copied/m);
  expect(names()).toEqual([expect.stringMatching(/^backup\.db\.unfinished-\d+$/)]);

  const acknowledged = clients.flatMap(({ spans }) => [...spans.keys()]);
  const { exitCode, stdout, stderr } = await startDb('backup', backup, '--json').finished;
  const acknowledgedBy = clients.reduce((sum, client) => sum + client.acknowledgedSpanCount, 0);
  isSending = false;
  await Promise.all(sending);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Checking the copy')]);
  expect(names()).toEqual(['backup.db']);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  const identities = readIdentities(backup);
  expect(acknowledged.length).toBeGreaterThan(10);
  expect(acknowledged.filter((identity) => !identities.has(identity))).toEqual([]);
  expect(acknowledgedBy, 'clients were answered meanwhile').toBeGreaterThan(acknowledged.length);
  expect(findContradictions(backup)).toEqual([]);
  expect(JSON.parse(stdout)).toMatchObject({ file: backup, dataFile: data, rows: { spans: identities.size } });
});

it('tells how things stand beside the server, and leaves its data to it', async () => {
  const [status, ...refused] = await Promise.all(
    [startDb('status', '--json'), startDb('restore', backup), startDb('migrate')].map(({ finished }) => finished),
  );
  expect([status?.exitCode, status?.stderr]).toEqual([0, '']);
  expect(JSON.parse(status?.stdout ?? '')).toMatchObject({
    engine: 'sqlite',
    location: data,
    serverPids: [server.child.pid],
    schema: { pending: [], unknown: [] },
    contents: { counts: { projects: 1, spans: readIdentities(data).size } },
  });
  for (const { exitCode, stderr } of refused) {
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`process ${server.child.pid}`)]);
  }
});

it('answers after a restore as it did when it was backed up, even one that was killed before', async () => {
  const before = await readAnswers();
  expect((await startDb('backup', backup, '--overwrite').finished).exitCode).toBe(0);
  const late = { traceId: traceId(0xc001), spanId: spanId(0xc001) };
  await exportAll(server.url, traceRequest([late]));
  await server.end('SIGTERM');

  await killAfter(startDb('restore', backup), /^Copied/m);
  expect(readIdentities(data).has(`${late.traceId} ${late.spanId}`)).toBe(true);
  const restored = await startDb('restore', backup).finished;
  expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringMatching(/cairn\.db\.before-restore-\S+;/)]);
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  server = await startServerProcess(folder);
  expect(await readAnswers()).toEqual(before);
});

function startDb(command: string, ...args: readonly string[]): StartedProcess {
  return startNode([PROGRAM, 'db', command, ...args, '--data', folder]);
}

async function killAfter({ child, finished, waitForOutput }: StartedProcess, pattern: RegExp): Promise<void> {
  await waitForOutput(pattern);
  child.kill('SIGKILL');
  const { exitCode }: FinishedProcess = await finished;
  expect(exitCode, 'killed before it was done').toBeNull();
}

function names(): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('backup'));
}

function readIdentities(path: string): ReadonlySet<string> {
  const connection = openSqlite(path, { readOnly: true });
  try {
    const rows = connection
      .prepare('SELECT trace_id, span_id FROM spans JOIN traces ON traces.id = spans.trace_row_id')
      .all([]) as { trace_id: string; span_id: string }[];
    return new Set(rows.map((row) => `${row.trace_id} ${row.span_id}`));
  } finally {
    connection.close();
  }
}

async function readAnswers(): Promise<readonly unknown[]> {
  const project = `${server.url}/v1/projects/default`;
  return [await getJson(`${server.url}/v1/projects`), await getAll(`${project}/traces`, 1000), await newest(project)];
}

function newest(project: string): Promise<unknown> {
  return getJson(`${project}/spans?limit=100`);
}
