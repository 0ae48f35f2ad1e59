import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer } from '../harness/server.ts';

const data = mkdtempSync(join(tmpdir(), 'cairn-explain-'));
afterAll(() => rmSync(data, { recursive: true }));

const REQUEST = traceRequest([
  {
    traceId: traceId(1),
    spanId: spanId(1),
    name: 'chat gpt-4o',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
  },
]);

describe('cairn explain of a stored span', () => {
  beforeAll(async () => {
    await using server = await startTestServer({ WORKING_DIR: data });
    await exportAll(server.url, REQUEST);
  });

  it('reads it from the data file while no server runs', async () => {
    const { stdout, stderr } = await runCairn(['explain', spanId(1), '--data', data]);
    expect(stderr).toBe('');
    expect(stdout).toContain('is read as LLM');
  });

  it('asks the server for it while one runs', async () => {
    await using server = await startTestServer({ WORKING_DIR: data });
    const { port } = new URL(server.url);
    const flags = ['--data', data, '--host', '127.0.0.1'];
    const { stdout, stderr } = await runCairn(['explain', spanId(1), ...flags, '--port', port]);
    expect(stderr).toBe('');
    expect(stdout).toContain('is read as LLM');
    expect(stdout).toMatch(/gen_ai\.request\.model +→ /);
    const elsewhere = await runCairn(['explain', spanId(1), ...flags, '--port', '1']);
    expect(elsewhere.stderr).toMatch(/A server has the data open but does not respond at http:\/\/127\.0\.0\.1:1/);
  });

  it('says that there is no such span, and no such data', async () => {
    const missing = await runCairn(['explain', spanId(9), '--data', data]);
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining(`There is no span ${spanId(9)}`)]);
    const nowhere = await runCairn(['explain', spanId(9), '--data', join(data, 'nowhere')]);
    expect(nowhere.stderr).toMatch(/There is no data in .*: name the folder with --data/);
  });
});

describe('cairn explain', () => {
  it('prints the spans of a file, or gives them as JSON', async () => {
    const file = 'test/fixtures/otlp/otel-genai-openai/01-chat.binpb';
    const text = await runCairn(['explain', file]);
    expect([text.exitCode, text.stderr]).toEqual([0, '']);
    expect(text.stdout).toMatch(/^Span [0-9a-f]{16} ".*" of trace [0-9a-f]{32} is read as LLM\.$/m);
    const json = await runCairn(['explain', '--json', file]);
    const { spans } = JSON.parse(json.stdout) as { spans: readonly { readonly kind: string }[] };
    expect(spans.map(({ kind }) => kind)).toContain('LLM');
  });

  it('says what it takes where it is given something else', async () => {
    const { exitCode, stderr } = await runCairn(['explain', 'no-such-file']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/no-such-file is neither a file nor a span id/);
    const file = await runCairn(['explain', '/nope.json']);
    expect([file.exitCode, file.stderr]).toEqual([1, 'There is no file /nope.json.\n']);
    const trace = await runCairn(['explain', traceId(1)]);
    expect(trace.exitCode).toBe(1);
    expect(trace.stderr).toMatch(
      new RegExp(`^${traceId(1)} is a trace id: .*16 hexadecimal digits.*/spans\\?trace_id=${traceId(1)}`),
    );
  });
});
