/** Flipped bytes in the pages of a data file: no answer is altered, and what is lost is named. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startServerProcess } from '../harness/server-process.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareAnswers, flipBytes, readAnswers, storeTraces } from './damage.ts';

const TRACES = 30;

it('bytes flipped in the pages of blocks alter no answer, are named everywhere, and the rest can be salvaged', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-damage-'));
  try {
    const path = join(folder, 'cairn.db');
    const first = await startServerProcess(folder);
    await storeTraces(first.url, TRACES, 3);
    const before = await readAnswers(first.url, TRACES);
    await first.end('SIGTERM');
    flipBytes(path, 20, (table) => table.startsWith('block'), randomNumbers(7));
    const second = await startServerProcess(folder);
    const after = await readAnswers(second.url, TRACES);
    const damage = compareAnswers(before, after);
    expect(damage).toMatchObject({ altered: 0, unsaid: [] });
    expect(damage.named).toBeGreaterThan(0);
    expect(after.spans.size).toBe(TRACES * 3 - damage.named);
    const [lost = ''] = after.named;
    const query = {
      query: `{ node(id: "${await idOf(second.url, lost)}") { ... on Span { name damage attributes } } }`,
    };
    const asked = await fetch(`${second.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(query),
    });
    expect(await asked.json()).toMatchObject({
      data: { node: { damage: expect.stringContaining(lost), attributes: null } },
      errors: [{ path: ['node', 'attributes'], extensions: { code: 'data_damaged' } }],
    });
    const metrics = await (await fetch(`${second.url}/metrics`)).text();
    const counted = Number(/^cairn_damaged_items_total\{kind="span"\} (\d+)$/m.exec(metrics)?.[1]);
    expect(counted).toBeGreaterThan(0);
    expect(await (await fetch(`${second.url}/readyz?verbose`)).json()).toMatchObject({ damaged: { span: counted } });
    expect(second.output().split(`${lost} of trace`)).toHaveLength(2);
    const verified = await runCli('doctor', '--verify', '--data', folder);
    expect(verified).toContain(lost);
    await second.end('SIGTERM');
    // Nothing was read yet.
    const third = await startServerProcess(folder);
    expect(await (await fetch(`${third.url}/readyz?verbose`)).json()).toMatchObject({ damaged: { span: counted } });
    expect(third.output()).toContain(lost);
    await third.end('SIGTERM');
    const salvaged = join(folder, 'salvaged.db');
    expect(await runCli('db', 'salvage', path, salvaged)).toContain(lost);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function idOf(url: string, spanId: string): Promise<string> {
  const query = { query: `{ spanByOtelId: getSpanByOtelId(spanId: "${spanId}") { id } }` };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query),
  });
  return ((await response.json()) as { data: { spanByOtelId: { id: string } } }).data.spanByOtelId.id;
}

/** What a command prints; it ends with code 1, because something is damaged. */
async function runCli(...args: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, ['src/main.ts', ...args], { env: process.env });
  const failure = await run.then(
    () => undefined,
    (error: unknown) => error as { readonly code: number; readonly stdout: string; readonly stderr: string },
  );
  expect(failure?.code).toBe(1);
  return `${failure?.stdout} ${failure?.stderr}`;
}
