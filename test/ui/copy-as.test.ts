import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COPY_FORMS, type CopiedTable, copyAs } from '#ui/routes/project/export/copy-as.ts';
import { startAskingServer } from '../harness/asking-server.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { findProjectId, range, sendTraces } from './list-page.ts';

const run = promisify(execFile);
const DAY_US = 86_400_000_000;
const NAME = `it's "all" $HOME`;
/** Quotes of both kinds, and what a shell would take for its own. */
const FILTER = String.raw`latency_ms >= 3 and name != 'it\'s "all" $HOME' and name != ''`;

let server: TestServer;
let folder: string;
let table: CopiedTable;

beforeAll(async () => {
  [server, folder] = await Promise.all([startTestServer(), mkdtemp(join(tmpdir(), 'cairn-copy-'))]);
  await sendTraces(server.url, NAME, range(1, 5));
  table = {
    url: server.url,
    needsKey: false,
    projectId: await findProjectId(server.url, NAME),
    projectName: NAME,
    grain: 'span',
    filter: FILTER,
    timeRange: { start: '2020-01-01T00:00:00.000Z' },
    sort: { column: 'latency', direction: 'desc' },
  };
});
afterAll(async () => {
  await Promise.all([server[Symbol.asyncDispose](), rm(folder, { recursive: true, force: true })]);
});

const WANTED = [5, 4, 3].map(spanId);

it('finds the rows of the table as a program in TypeScript', async () => {
  const path = join(folder, 'rows.ts');
  await writeFile(path, copyAs('typescript', table));
  const { stdout } = await run(process.execPath, [path]);
  expect(readLines(stdout)).toEqual(WANTED);
});

it('finds them as a program in Python, and over REST', async () => {
  const python = await run('python3', ['-c', copyAs('python', table)]);
  expect(readLines(python.stdout)).toEqual(WANTED);
  const rest = await run('sh', ['-c', copyAs('rest', table)]);
  expect(WANTED.filter((id) => rest.stdout.includes(id))).toEqual(WANTED);
  expect(rest.stdout).not.toContain(spanId(2));
  const traces = await run('sh', ['-c', copyAs('rest', { ...table, grain: 'trace', filter: 'latency_ms >= 3' })]);
  expect((JSON.parse(traces.stdout) as TraceList).data.map(({ trace_id: id }) => id)).toEqual([5, 4, 3].map(traceId));
});

it('finds the sessions of the range over REST, with and without a filter', async () => {
  const startUs = Date.UTC(2026, 0, 1) * 1000;
  const sessions = ['before', 'within', 'at the end'].map((id, day) => ({
    traceId: traceId(day + 100),
    spanId: spanId(day + 100),
    startUs: startUs + day * DAY_US,
    endUs: startUs + day * DAY_US + 1,
    attributes: { 'session.id': id },
  }));
  await exportAll(server.url, traceRequest(sessions));
  const day = (date: number) => new Date(Date.UTC(2026, 0, date)).toISOString();
  const all = { ...table, projectId: await findProjectId(server.url, 'default'), grain: 'session' } as const;
  const list = async (filter: string | null, timeRange: CopiedTable['timeRange']) => {
    const { stdout } = await run('sh', ['-c', copyAs('rest', { ...all, filter, timeRange })]);
    const { data } = JSON.parse(stdout) as { data: readonly { session_id: string }[] };
    return data.map(({ session_id: id }) => id).toSorted();
  };
  expect(await list(null, { start: day(2), end: day(3) })).toEqual(['within']);
  expect(await list(null, { start: day(2) })).toEqual(['at the end', 'within']);
  expect(await list("session_id == 'within' or num_traces > 1 or session_id == 'before'", { start: day(2) })).toEqual([
    'within',
  ]);
  expect(await list(null, {})).toEqual(['at the end', 'before', 'within']);
});

it('finds them in GraphQL, for every kind of table', async () => {
  for (const grain of ['span', 'trace', 'session'] as const) {
    const { node } = await queryGraphql<{ node: Record<string, { edges: readonly unknown[] }> }>(
      server.url,
      copyAs('graphql', { ...table, grain, filter: grain === 'session' ? null : 'latency_ms >= 3' }),
    );
    expect(node[`${grain}s`]?.edges.length).toBe(grain === 'session' ? 0 : 3);
  }
  expect(COPY_FORMS.map(({ id }) => id)).toEqual(['rest', 'graphql', 'python', 'typescript']);
});

it('shows a key of the environment where the server asks for one', async () => {
  await using asking = await startAskingServer();
  const { url, key } = asking;
  const headers = { authorization: `Bearer ${key}` };
  const span = { traceId: traceId(5), spanId: spanId(5), name: 'answer' };
  await exportAll(url, traceRequest([span]), headers);
  const answer = await fetch(`${url}/v1/projects/default`, { headers });
  const { data } = (await answer.json()) as { data: { id: string } };
  const closed = { ...table, url, needsKey: true, projectId: data.id, projectName: 'default', filter: null };
  const env = { ...process.env, CAIRN_API_KEY: key };
  const path = join(folder, 'rows-with-key.ts');
  await writeFile(path, copyAs('typescript', closed));
  for (const [program, ...texts] of [
    [process.execPath, path],
    ['python3', '-c', copyAs('python', closed)],
    ['sh', '-c', copyAs('rest', closed)],
  ] as const) {
    expect((await run(program, texts, { env })).stdout, program).toContain(spanId(5));
  }
  const traces = await run('sh', ['-c', copyAs('rest', { ...closed, grain: 'trace' })], { env });
  expect(traces.stdout).toContain(traceId(5));
});

function readLines(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { context: { spanId: string } }).context.spanId);
}

interface TraceList {
  readonly data: readonly { readonly trace_id: string }[];
}
