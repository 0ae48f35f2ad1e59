/** Stable addresses: from ids that others know to pages, by HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryGraphql } from '../harness/graphql.ts';
import { startAskingServer } from '../harness/asking-server.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ HOST_ROOT_PATH: '/tools/cairn' });
  const session = { attributes: { 'session.id': 'a/b c?d' } };
  const spans = [{ traceId: traceId(1), spanId: spanId(1), ...session }];
  await exportAll(server.url, traceRequest(spans), { 'x-project-name': 'shop%20%2F%20web' });
});
afterAll(() => server[Symbol.asyncDispose]());

async function wayOf(path: string, headers: Record<string, string> = {}) {
  // A proxy may take the root path away.
  const response = await fetch(new URL(path, server.url), { redirect: 'manual', headers });
  await response.text();
  return [response.status, response.headers.get('location')];
}

it('lead to the page of the object, below the root path', async () => {
  const { getSpanByOtelId: span, getProjectSessionById: session } = await queryGraphql<{
    getSpanByOtelId: { id: string; trace: { projectId: string } };
    getProjectSessionById: { id: string };
  }>(
    server.url,
    `{ getSpanByOtelId(spanId: "${spanId(1)}") { id trace { projectId } } getProjectSessionById(sessionId: "a/b c?d") { id } }`,
  );
  const [spanNode, sessionNode, project] = [span.id, session.id, span.trace.projectId].map(encodeURIComponent);
  const place = `/tools/cairn/projects/${project}`;
  expect(await wayOf(`/redirects/traces/${traceId(1).toUpperCase()}`)).toEqual([302, `${place}/traces/${traceId(1)}`]);
  const ofSpan = `${place}/traces/${traceId(1)}?selectedSpanNodeId=${spanNode}`;
  expect(await wayOf(`/tools/cairn/redirects/spans/${spanId(1)}`)).toEqual([302, ofSpan]);
  for (const id of ['a%2Fb%20c%3Fd', 'a/b%20c%3Fd']) {
    expect(await wayOf(`/redirects/sessions/${id}`)).toEqual([302, `${place}/sessions/${sessionNode}`]);
  }
  const names = await queryGraphql<{ node: { name: string } }>(
    server.url,
    `{ node(id: "${span.trace.projectId}") { ... on Project { name } } }`,
  );
  expect(await wayOf(`/redirects/projects/${encodeURIComponent(names.node.name)}`)).toEqual([302, place]);
});

it.each(['traces/none', 'spans/none', 'sessions/none', 'projects/none', 'projects/', 'prompts/x', ''])(
  'of nothing are not found: %j',
  async (path) => {
    // 503 in a checkout that is not built, which has no page to say it.
    expect([404, 503]).toContain((await wayOf(`/redirects/${path}`))[0]);
  },
);

describe('where a key is asked for', () => {
  it('they tell nothing to strangers', async () => {
    await using asking = await startAskingServer();
    await exportAll(asking.url, traceRequest([{ traceId: traceId(2), spanId: spanId(2) }]), {
      authorization: `Bearer ${asking.key}`,
    });
    const ask = (headers: Record<string, string>) =>
      fetch(`${asking.url}/redirects/traces/${traceId(2)}`, { redirect: 'manual', headers });
    const refused = await ask({ accept: 'text/html' });
    expect([refused.status, refused.headers.get('location')]).toEqual([401, null]);
    const led = await ask({ authorization: `Bearer ${asking.key}` });
    expect([led.status, led.headers.get('location')]).toEqual([302, expect.stringContaining(traceId(2))]);
  });
});
