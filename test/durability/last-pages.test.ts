/** Last pages of the tables that grow with spans: nothing can be added behind one that cannot be read, until what is whole is salvaged. */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { damageLeaves } from '../../src/store/sqlite/damaged-leaves.fixture.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { listSpans } from '../harness/telemetry.ts';

/** So many that each table has several pages. */
const TRACES = 600;
const SPANS = 2;
const TABLES = ['spans', 'traces', 'blocks', 'span_locations'] as const;

let folder: string;

beforeEach(() => {
  folder = createTestFolder('last-pages');
});

afterEach(() => removeTestFolder(folder));

it('refuses exports and says what to do, reads the rest, and stores again on a salvaged copy', {
  timeout: 240_000,
}, async () => {
  const path = join(folder, 'cairn.db');
  const first = await startServerProcess(folder);
  const numbers = Array.from({ length: TRACES * SPANS }, (_, place) => place);
  const stored = numbers.map((number) => ({
    traceId: traceId(Math.floor(number / SPANS)),
    spanId: spanId(number),
    name: 'step',
  }));
  expect((await post(first.url, traceBody(stored))).status).toBe(200);
  await first.end('SIGTERM');
  for (const table of TABLES) damageLeaves(path, table, [0.999]);

  const server = await startServerProcess(folder);
  const refused = await send(server.url, 9000);
  const refusal = await refused.text();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(refusal).toContain('the database is damaged');
  expect(refusal).toContain('`cairn db salvage`');
  for (let number = 9001; number < 9020; number++) expect((await send(server.url, number)).status).toBe(503);
  const ready = await fetch(`${server.url}/readyz?verbose`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { storing_problem: expect.stringContaining('cairn db salvage'), damaged: { database: expect.any(Number) } },
  ]);
  expect((await fetch(`${server.url}/readyz?require=storing`)).status).toBe(503);
  const readable = new Set<string>();
  const damaged = new Set<string>();
  for (let cursor: string | null = '', isFirst = true; cursor !== null; isFirst = false) {
    const rest: string = isFirst ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${server.url}/v1/projects/default/spans?limit=1000${rest}`);
    const page = (await response.json()) as Page;
    expect(response.status, JSON.stringify(page)).toBe(200);
    for (const { context } of page.data) readable.add(context.span_id);
    for (const { span_id: id } of page.damaged ?? []) damaged.add(id);
    cursor = page.next_cursor;
  }
  expect(readable.size).toBeGreaterThan((TRACES * SPANS) / 4);
  expect(new Set([...readable, ...damaged]).size).toBe(TRACES * SPANS);
  const lines = server.output().split('\n');
  expect(lines.filter((line) => line.includes('could not be stored')).length).toBeLessThanOrEqual(2);
  await expect
    .poll(async () => (await run('doctor', '--data', folder)).text, { timeout: 30_000 })
    .toMatch(/but knows of \d+ damaged things: .*malformed/);
  await server.end('SIGTERM');

  const salvaged = join(folder, 'salvaged.db');
  const salvage = await run('db', 'salvage', path, salvaged);
  expect(salvage.code).toBe(1);
  for (const table of TABLES) expect(salvage.text).toMatch(new RegExp(`^${table}: .*rows that cannot be read`, 'm'));
  const copied = join(folder, 'copied');
  mkdirSync(copied);
  renameSync(salvaged, join(copied, 'cairn.db'));
  const next = await startServerProcess(copied);
  expect((await send(next.url, 9000)).status).toBe(200);
  const kept = await listSpans(next.url, 'default');
  const keptIds = new Set(kept.map(({ context }) => context.span_id));
  expect([...readable].filter((id) => !keptIds.has(id))).toEqual([]);
  expect(keptIds).toContain(spanId(9000));
  expect(await (await fetch(`${next.url}/readyz`)).json()).toEqual({});
  expect(await next.end('SIGTERM')).toBe(0);
});

interface Page {
  readonly data: readonly { readonly context: { readonly span_id: string } }[];
  readonly damaged?: readonly { readonly span_id: string }[];
  readonly next_cursor: string | null;
}

function send(url: string, number: number): Promise<Response> {
  return post(url, traceBody([{ traceId: traceId(number), spanId: spanId(number), name: 'later' }]));
}

function post(url: string, body: ReturnType<typeof traceBody>): Promise<Response> {
  return fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const running = promisify(execFile)(process.execPath, ['src/main.ts', ...args], { env: process.env });
  return running.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as {
        readonly code: number;
        readonly stdout: string;
        readonly stderr: string;
      };
      return { code, text: `${stdout} ${stderr}` };
    },
  );
}
