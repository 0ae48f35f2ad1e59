import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postGraphql, queryGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

/** Those of a document, by their names, or else by their first field. */
function examplesOf(document: string): readonly (readonly [name: string, query: string])[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs', document), 'utf8');
  return [...text.matchAll(/```graphql\n(.*?)```/gs)].map(([, query = '']) => [
    `${document}: ${query.split(/\W+/, 2)[1]}`,
    query,
  ]);
}

const EXAMPLES = [...examplesOf('graphql.md'), ...examplesOf('search.md')];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await exportAll(server.url, traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]));
});

afterAll(() => server[Symbol.asyncDispose]());

it.each(EXAMPLES)('the example %s has an answer', async (_name, query) => {
  const response = await postGraphql(server.url, { query }, { accept: 'application/json, text/event-stream' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const answer: unknown = isStream ? (await readEvents(response).next()).value : await response.json();
  expect(answer).not.toHaveProperty('errors');
  expect(answer).not.toMatchObject({ data: { getTraceByOtelId: null } });
});

it('the example in docs/annotations.md begins to annotate', async () => {
  const [example, ...others] = examplesOf('annotations.md');
  expect([example?.[0], others]).toEqual(['annotations.md: AnnotateFailed', []]);
  const project = await queryGraphql<{ getProjectByName: { id: string } }>(
    server.url,
    '{ getProjectByName(name: "default") { id } }',
  );
  const begun = await queryGraphql(server.url, example?.[1].replace('UHJvamVjdDox', project.getProjectByName.id) ?? '');
  expect(begun).toMatchObject({ bulkAnnotate: { doneCount: 0 } });
});

it('the examples in docs/deletion.md begin a bulk action, and make a policy, change it and take it away', async () => {
  const [bulk, ...examples] = examplesOf('deletion.md');
  expect(bulk?.[0]).toBe('deletion.md: DeleteFailed');
  expect(examples.map(([name]) => name)).toEqual(
    ['KeepThirtyDays', 'KeepLonger', 'KeepForever'].map((name) => `deletion.md: ${name}`),
  );
  const project = await queryGraphql<{ getProjectByName: { id: string } }>(
    server.url,
    '{ getProjectByName(name: "default") { id } }',
  );
  const begun = await queryGraphql(server.url, bulk?.[1].replace('UHJvamVjdDox', project.getProjectByName.id) ?? '');
  expect(begun).toMatchObject({ bulkDelete: { doneCount: 0, goneCount: 0 } });
  let id = '';
  const nodes: unknown[] = [];
  for (const [, query] of examples) {
    const text = query.replace('UHJvamVjdDox', project.getProjectByName.id);
    const data = await queryGraphql<Record<string, { node: { id?: string } }>>(server.url, text, { id });
    const [{ node } = { node: {} }] = Object.values(data);
    id = node.id ?? id;
    nodes.push(node);
  }
  expect(nodes).toEqual([
    { id, name: 'thirty days', projects: { edges: [{ node: { name: 'default' } }] } },
    { rule: { __typename: 'TraceRetentionRuleMaxDays' } },
    { name: 'thirty days' },
  ]);
});
