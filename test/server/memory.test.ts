/** A server with little memory: large spans come page by page, what does not fit is told to come back, and reading and storing go on beside each other. */
import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryGraphql } from '../harness/graphql.ts';
import { logsRequest, spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { TEST_ENGINE } from '../harness/test-engine.ts';

let server: TestServer;

const SPANS = 4;
const TEXT_BYTES = 6_000_000;
const LIST = '/v1/projects/default/spans?limit=1000';
const OTHER = { 'openinference.project.name': 'other' };

async function post(path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

function store(span: TestSpan, resource = {}): Promise<number> {
  return post('/v1/traces', traceRequest([span], resource));
}

beforeAll(async () => {
  server = await startTestServer({ MAX_MEMORY_MIB: '256' });
  for (let number = 1; number <= SPANS; number++) {
    const attributes = { 'output.value': String(number).repeat(TEXT_BYTES), 'session.id': `session ${number}` };
    const span = { traceId: traceId(number), spanId: spanId(number), name: `large ${number}`, attributes };
    expect(await store(span)).toBe(200);
    const record = { timeUs: number, eventName: 'gen_ai.choice', body: `${number}`.repeat(TEXT_BYTES) };
    expect(await post('/v1/logs', logsRequest([record]))).toBe(200);
  }
});

afterAll(() => server[Symbol.asyncDispose]());

interface SpanPage {
  readonly data: readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[];
  readonly next_cursor: string | null;
}

it('ends lists of large spans early, and all pages together hold every span once and whole', async () => {
  const names: string[] = [];
  let pages = 0;
  let cursor: string | null = null;
  do {
    const page: SpanPage = await getJson(`${server.url}${LIST}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(2);
    for (const { name, attributes } of page.data) {
      names.push(name);
      expect(attributes['output.value']).toBe(name.slice(-1).repeat(TEXT_BYTES));
    }
    pages++;
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(names).toEqual(Array.from({ length: SPANS }, (_, place) => `large ${SPANS - place}`));
  expect(pages).toBeGreaterThanOrEqual(2);
});

describe('over GraphQL', () => {
  interface Page {
    readonly edges: readonly { readonly node: unknown }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  }

  /** The rows of all pages of a list of the project. */
  async function readPages(
    list: string,
    selection: string,
  ): Promise<{ readonly rows: unknown[]; readonly pages: number }> {
    const rows: unknown[] = [];
    let pages = 0;
    let after: string | null = null;
    do {
      const query = `query ($after: String) { getProjectByName(name: "default") {
        list: ${list}(first: 1000, after: $after) { edges { node { ${selection} } } pageInfo { hasNextPage endCursor } } } }${selection.includes('...Texts') ? ' fragment Texts on Span { output { value } }' : ''}`;
      const data: { readonly getProjectByName: { readonly list: Page } } = await queryGraphql(server.url, query, {
        after,
      });
      const { edges, pageInfo } = data.getProjectByName.list;
      rows.push(...edges.map(({ node }) => node));
      pages++;
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    return { rows, pages };
  }

  const texts = Array.from({ length: SPANS }, (_, place) => `${place + 1}`.repeat(TEXT_BYTES));

  it.each([
    ['spans', 'output { value }', (text: string) => ({ output: { value: text } })],
    ['traces', 'rootSpan { ...Texts }', (text: string) => ({ rootSpan: { output: { value: text } } })],
    ['sessions', 'lastOutput { value }', (text: string) => ({ lastOutput: { value: text } })],
    ['unattachedLogRecords', 'body', (text: string) => ({ body: text })],
  ] as const)('ends lists of %s with large texts early, with a cursor: %s', async (list, selection, toRow) => {
    const { rows, pages } = await readPages(list, selection);
    const expected = new Set(texts.map((text) => JSON.stringify(toRow(text))));
    expect(rows).toHaveLength(SPANS);
    expect(rows.every((row) => expected.delete(JSON.stringify(row)))).toBe(true);
    expect(pages).toBeGreaterThanOrEqual(2);
  });
});

it('tells a second reader to come back while a first one takes nothing of its answer', async () => {
  const { hostname, port } = new URL(server.url);
  const idle = connect(Number(port), hostname);
  idle.write(`GET ${LIST} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await new Promise((resolve) => idle.once('readable', resolve));
  const refused = await fetch(`${server.url}${LIST}`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  const small = await fetch(`${server.url}/v1/projects`);
  expect(small.status).toBe(200);
  idle.destroy();
  await expect.poll(async () => (await fetch(`${server.url}${LIST}`)).status).toBe(200);
});

// What holds up the writer is a lock of the data file.
it.skipIf(TEST_ENGINE === 'postgres')('reads while a large request takes all the room that it may have', async () => {
  const span = { traceId: traceId(100), spanId: spanId(100), attributes: { 'output.value': 'x'.repeat(2_000_000) } };
  expect(await store(span, OTHER)).toBe(200);
  const locked = new Database(join(server.folder, 'cairn.db'));
  let isStored = false;
  try {
    locked.exec('BEGIN IMMEDIATE');
    const large = store({ ...span, traceId: traceId(101), attributes: { text: 'y'.repeat(12_000_000) } }, OTHER);
    const stored = large.finally(() => (isStored = true));
    await expect.poll(() => readMetric('cairn_memory_taken_bytes{purpose="storing"}')).toBeGreaterThan(8_000_000);
    const page = await fetch(`${server.url}/v1/projects/other/spans`);
    expect([page.status, isStored]).toEqual([200, false]);
    await page.arrayBuffer();
    locked.exec('ROLLBACK');
    expect(await stored).toBe(200);
  } finally {
    locked.close();
  }
  await expect.poll(() => readMetric('cairn_memory_taken_bytes{purpose="storing"}')).toBe(0);
});

/** The value of a line of `/metrics`. */
async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}
