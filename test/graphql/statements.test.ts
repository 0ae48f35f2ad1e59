/** The statements that a page costs are as many for long lists as for short ones. */
import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OperationResult, Operations } from '#api/graphql/operation';
import { ANONYMOUS } from '#domain/caller';
import { createGraphqlSchema } from '#server/graphql/schema';
import { sqliteDialect } from '#store/dialect/sqlite';
import { EnvelopeCache } from '#store/spans/rows/envelope-cache';
import type { ReadScope } from '#store/spans/rows/read-scope';
import { TraceTrees } from '#store/spans/rows/trace-trees';
import { openSqliteReader, type SqliteConnection } from '#store/sqlite/connection';
import { kyselyOnSqlite } from '#store/sqlite/kysely-on-sqlite';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { schemaParts } from './in-process.ts';

const TRACES = 30;
const SPANS_OF_TRACE = 30;

/** What tables show of a span. */
const SPAN_ROW = `id spanId parentId name spanKind statusCode startTime endTime latencyMs modelName userId numDocuments
  tokenCountTotal tokenCountPrompt tokenCountCompletion context { traceId } project { id name } trace { id }
  tokenPromptDetails { cacheRead } input { mimeType truncatedValue } output { mimeType truncatedValue }`;

/** What a trace's page shows of a span beside that: what comes together below it, for which its whole trace is read. */
const TREE_ROW = `${SPAN_ROW} propagatedStatusCode numChildSpans cumulativeTokenCountTotal`;

/** The pages of the web UI, with everything that they show. */
const PAGES = {
  projects: `query($first: Int!) { projectCount projects(first: $first, sort: { col: endTime, dir: desc }) { edges { node {
    name startTime endTime hasTraces recordCount traceCount sessionCount tokenCountTotal tokenCountPrompt
    p50: latencyMsQuantile(probability: 0.5) p99: latencyMsQuantile(probability: 0.99)
    spanLatencyMsQuantile(probability: 0.5) streamingLastUpdatedAt } } } }`,
  spans: `query($first: Int!) { project: getProjectByName(name: "many") { spans(first: $first, sort: { col: latencyMs, dir: desc }) {
    edges { node { ${SPAN_ROW} } } } } }`,
  'root spans': `query($first: Int!) { project: getProjectByName(name: "many") {
    spans(first: $first, rootSpansOnly: true) { edges { node { ${SPAN_ROW} } } } } }`,
  traces: `query($first: Int!) { project: getProjectByName(name: "many") { traces(first: $first) { edges { node {
    traceId projectId startTime endTime latencyMs errorCount numSpans userId spanCountsByKind { spanKind count }
    tokenUsage { total } session { id sessionId numTraces } rootSpan { ${SPAN_ROW} } } } } } }`,
  sessions: `query($first: Int!) { project: getProjectByName(name: "many") { sessions(first: $first) { edges { node {
    sessionId userId startTime endTime numTraces numTracesWithError project { id } tokenUsage { total }
    firstInput { mimeType truncatedValue } lastOutput { mimeType truncatedValue }
    traceLatencyMsQuantile(probability: 0.5) } } } } }`,
  'a trace': `query($first: Int!) { getTraceByOtelId(traceId: "${traceId(1)}") { numSpans rootSpan { name } session { id }
    spans(first: $first) { edges { node { ${TREE_ROW} } } } } }`,
  'whole spans of a trace': `query($first: Int!) { getTraceByOtelId(traceId: "${traceId(1)}") { spans(first: $first) {
    edges { node { attributes otelResource instrumentationScope { name } statusMessage metadata
    events { name attributes } links { spanId span { name } } input { value } output { value } } } } } }`,
  'a session': `query($first: Int!) { getProjectSessionById(sessionId: "session 1") { traces(first: $first) { edges { node {
    traceId startTime latencyMs errorCount tokenUsage { total } rootSpan { name input { value } output { value } } } } } } }`,
  'a search': `query($first: Int!) { getProjectByName(name: "many") { search(text: "question", first: $first) { edges { node {
    score span { name trace { id } } snippets { place text hits { start end } } } } } } }`,
};

const CURRENCY = '{ getProjectByName(name: "many") { search(text: "question") { currency { pendingSpanCount } } } }';

let server: TestServer;
let connection: SqliteConnection;
let operations: Operations;
let statements: string[];

beforeAll(async () => {
  server = await startTestServer();
  for (let number = 1; number <= TRACES; number++) await sendTrace(number);
  const isIndexed = { getProjectByName: { search: { currency: { pendingSpanCount: 0 } } } };
  await vi.waitFor(async () => expect(await queryGraphql(server.url, CURRENCY)).toMatchObject(isIndexed), 50_000);
  const [path = ''] = globSync('**/*.db', { cwd: server.folder });
  connection = openSqliteReader(`${server.folder}/${path}`);
  operations = new Operations(await createGraphqlSchema(schemaParts(scopeOf(noting(connection)))));
});

afterAll(async () => {
  connection.close();
  await server[Symbol.asyncDispose]();
});

/** One trace with many spans, in a session with others of its kind; and a project of its own for each. */
async function sendTrace(number: number): Promise<void> {
  const spans = Array.from({ length: SPANS_OF_TRACE }, (_, index) => ({
    traceId: traceId(number),
    spanId: spanId(number * 1000 + index),
    ...(index > 0 && { parentSpanId: spanId(number * 1000) }),
    attributes: {
      'session.id': number <= TRACES / 2 ? 'session 1' : `session ${number}`,
      'user.id': 'somebody',
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': index,
      'input.value': `question ${number} ${'long '.repeat(500)}`,
      'output.value': 'answer',
    },
  }));
  await exportAll(server.url, traceRequest(spans), { 'x-project-name': 'many' });
  const alone = { traceId: traceId(number + 1000), spanId: spanId(number + 500_000) };
  await exportAll(server.url, traceRequest([alone]), { 'x-project-name': `project ${number}` });
}

/** The connection, with each statement that runs on it noted. */
function noting(inner: SqliteConnection): SqliteConnection {
  return {
    ...inner,
    prepare: (text) => {
      statements.push(text);
      return inner.prepare(text);
    },
  };
}

function scopeOf(on: SqliteConnection): ReadScope {
  const db = kyselyOnSqlite(on);
  return { db, dialect: sqliteDialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
}

async function read(query: string, first: number): Promise<{ readonly rows: number; readonly count: number }> {
  statements = [];
  const result = (await operations.run(
    { query, variables: { first }, operationName: null },
    { caller: ANONYMOUS, signal: new AbortController().signal, onFault: (error) => expect.fail(String(error)) },
  )) as OperationResult;
  expect(result.errors).toBeUndefined();
  return { rows: JSON.stringify(result.data).split('"node":').length - 1, count: statements.length };
}

describe('the number of statements', () => {
  it.each(Object.entries(PAGES))('of %s is the same for three rows as for many', async (_name, query) => {
    // What is kept between reads, resources and trees of traces, is there for both.
    await read(query, 30);
    const few = await read(query, 3);
    const many = await read(query, 30);
    expect([few.rows, many.rows]).toEqual([3, expect.toSatisfy((rows: number) => rows >= 15)]);
    expect(many.count).toBe(few.count);
    expect(many.count).toBeLessThanOrEqual(20);
  });
});
