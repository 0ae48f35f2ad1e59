import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { startTestServer } from '../harness/server.ts';

const SPANS = 700;
const folder = mkdtempSync(join(tmpdir(), 'cairn-reindex-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Status {
  readonly is_stale: boolean;
  readonly is_running: boolean;
  readonly progress: number | null;
  readonly read_count: number;
  readonly changed_count: number;
  readonly failed_count: number;
  readonly finished_at: string | null;
}

let before: readonly unknown[];

beforeAll(async () => {
  await using server = await startTestServer({ WORKING_DIR: folder });
  await exportAll(server.url, traceRequest(Array.from({ length: SPANS }, (_, place) => chat(place + 1))));
  await server.server.close();
  before = readRows();
});

function chat(number: number) {
  return {
    traceId: traceId(Math.ceil(number / 10)),
    spanId: spanId(number),
    name: `chat ${number}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': number,
      'gen_ai.usage.output_tokens': 1,
    },
  };
}

function readRows(): readonly unknown[] {
  return withData((data) => [
    data.prepare('SELECT * FROM spans ORDER BY id').all(),
    data
      .prepare('SELECT id, start_us, end_us, span_count, prompt_tokens, completion_tokens FROM traces ORDER BY id')
      .all(),
  ]);
}

/** Leaves rows as a version that did not know the dialect would have left them. */
function forgetDialect(): void {
  withData((data) =>
    data.exec(`
      UPDATE spans SET kind = 11, model_name = NULL, prompt_tokens = NULL, completion_tokens = NULL, call_distance = NULL,
        counted_prompt_tokens = 0, counted_completion_tokens = 0;
      UPDATE traces SET prompt_tokens = 0, completion_tokens = 0;
      UPDATE normalizer_versions SET version = 0;
      UPDATE jobs SET progress = json_set(progress, '$.differingCount', 3) WHERE kind = 'verification';
      DELETE FROM jobs WHERE kind = 'reindex'`),
  );
}

function withData<T>(work: (data: Database.Database) => T): T {
  const data = new Database(join(folder, 'cairn.db'));
  try {
    return work(data);
  } finally {
    data.close();
  }
}

async function readStatus(url: string): Promise<Status> {
  const response = await fetch(`${url}/v1/reindex`);
  return ((await response.json()) as { data: Status }).data;
}

async function waitFor(url: string, isReached: (status: Status) => boolean): Promise<Status> {
  for (;;) {
    const status = await readStatus(url);
    if (isReached(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function startReindex(url: string): Promise<Response> {
  const body = JSON.stringify({ normalise: true });
  return fetch(`${url}/v1/reindex`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

describe('reading stored spans anew', () => {
  it('is offered by a server whose data other rules have read, and done in the background', async () => {
    forgetDialect();
    {
      await using server = await startTestServer({ WORKING_DIR: folder });
      expect(await readStatus(server.url)).toMatchObject({ is_stale: true, is_running: false, progress: null });
      const started = await startReindex(server.url);
      expect(started.status).toBe(202);
      await exportAll(server.url, traceRequest([chat(1)]));
      const done = await waitFor(server.url, ({ is_running: isRunning }) => !isRunning);
      expect(done).toMatchObject({
        is_stale: false,
        progress: 1,
        read_count: SPANS,
        changed_count: SPANS,
        failed_count: 0,
      });
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toContain(`cairn_reindex_spans_total{changed="true"} ${SPANS}`);
      expect(metrics).toContain('cairn_reindex_progress_ratio 1');
      expect(server.complaints).toEqual([]);
      await server.server.close();
    }
    expect(readRows()).toEqual(before);
  });

  it('goes on after the server was killed', async () => {
    forgetDialect();
    const killed = await startServerProcess(folder);
    await startReindex(killed.url);
    await waitFor(killed.url, ({ read_count: count }) => count > 0);
    await killed.end('SIGKILL');
    const interrupted = withData((data) => data.prepare("SELECT * FROM jobs WHERE kind = 'reindex'").get()) as {
      finished_at_us: number | null;
    };
    expect(interrupted.finished_at_us).toBeNull();
    const next = await startServerProcess(folder);
    const done = await waitFor(next.url, ({ finished_at: finishedAt }) => finishedAt !== null);
    expect(done).toMatchObject({ read_count: SPANS, is_stale: false });
    expect(await next.end('SIGTERM')).toBe(0);
    expect(readRows()).toEqual(before);
  });

  it('is shown by the command while a server does it', async () => {
    forgetDialect();
    {
      await using server = await startTestServer({ WORKING_DIR: folder });
      const flags = ['--data', folder, '--host', '127.0.0.1', '--port', new URL(server.url).port];
      const { exitCode, stdout, stderr } = await runCairn(['reindex', '--normalise', ...flags]);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Stored spans are read again by the server\./);
      expect(stdout).toContain(`Done: ${SPANS} spans read again, ${SPANS} changed.`);
      await server.server.close();
    }
    expect(readRows()).toEqual(before);
  });

  it('is done by the command where no server runs, and leaves no row that differs from its original', async () => {
    forgetDialect();
    const countDiffering = () =>
      withData((data) =>
        data.prepare("SELECT progress ->> 'differingCount' AS n FROM jobs WHERE kind = 'verification'").get(),
      );
    expect(countDiffering()).toEqual({ n: 3 });
    const { exitCode, stdout, stderr } = await runCairn(['reindex', '--normalize', '--data', folder]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^No server is running on the data/);
    expect(stdout).toContain(`Done: ${SPANS} spans read again, ${SPANS} changed.`);
    expect(readRows()).toEqual(before);
    expect(countDiffering()).toEqual({ n: 0 });
  });

  it('prices by the command, too, of the models that are named', async () => {
    const { exitCode, stdout } = await runCairn(['reindex', '--cost', '--model', '^nobody', '--data', folder]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Done: 0 spans priced again, 0 changed.')]);
    const pattern = await runCairn(['reindex', '--cost', '--model', '(?=x)', '--data', folder]);
    expect([pattern.exitCode, pattern.stderr]).toEqual([1, expect.stringMatching(/looks ahead/)]);
    const alone = await runCairn(['reindex', '--normalise', '--model', 'x', '--data', folder]);
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining("'--model' needs '--cost'")]);
  });

  it('is refused where it is not said what to do, or where there is nothing', async () => {
    const unsaid = await runCairn(['reindex', '--data', folder]);
    expect([unsaid.exitCode, unsaid.stderr]).toEqual([2, expect.stringContaining('--normalise')]);
    const nowhere = await runCairn(['reindex', '--normalise', '--data', join(folder, 'nowhere')]);
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, expect.stringMatching(/There is no data in /)]);
  });
});
