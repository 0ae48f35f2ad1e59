import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const TEXT = readFileSync(resolve(import.meta.dirname, '../../docs/graphql.md'), 'utf8');
const EXAMPLES = [...TEXT.matchAll(/```graphql\n(.*?)```/gs)].map(([, query = '']) => [query.split(/\W/, 2)[1], query]);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await exportAll(server.url, traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]));
});

afterAll(() => server[Symbol.asyncDispose]());

it.each(EXAMPLES)('the example %s in docs/graphql.md has an answer', async (_name, query) => {
  const response = await postGraphql(server.url, { query }, { accept: 'application/json, text/event-stream' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const answer: unknown = isStream ? (await readEvents(response).next()).value : await response.json();
  expect(answer).not.toHaveProperty('errors');
  expect(answer).not.toMatchObject({ data: { getTraceByOtelId: null } });
});
