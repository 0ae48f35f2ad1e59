/** Exporters of other backends have paths of their own. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { postBody } from '../harness/otlp-client.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { listSpans } from '../harness/telemetry.ts';

const FOLDER = new URL('../fixtures/otlp/langfuse-python/', import.meta.url);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

it('stores what an exporter of Langfuse sends to its own path', async () => {
  const sent = JSON.parse(readFileSync(new URL('headers.json', FOLDER), 'utf8')) as Sent[];
  const chat = sent.find(({ file }) => file === '01-chat.binpb');
  const body = new Uint8Array(readFileSync(new URL('01-chat.binpb', FOLDER)));
  const [base, rest] = chat?.path.split('/v1/') ?? [];
  expect([base, rest]).toEqual(['/api/public/otel', 'traces']);
  const headers = { 'content-type': 'application/x-protobuf', 'x-project-name': 'langfuse' };
  const { status, rejectedSpans } = await postBody(`${server.url}${base}`, body, headers);
  expect([status, rejectedSpans]).toEqual([200, 0]);
  const count = decodeExportTraceRequest(body).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  ).length;
  expect(count).toBeGreaterThan(0);
  expect(await listSpans(server.url, 'langfuse')).toHaveLength(count);
});

it.each(['/otel', '/api/public/otel'])('takes every signal below %s', async (base) => {
  for (const signal of ['traces', 'logs', 'metrics'] as const) {
    const headers = { 'content-type': 'application/json' };
    const { status } = await postBody(`${server.url}${base}`, new Uint8Array(Buffer.from('{}')), headers, signal);
    expect(status).toBe(200);
  }
});

interface Sent {
  readonly file: string;
  readonly path: string;
}
