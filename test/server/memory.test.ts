/** A server with little memory: large spans come page by page, and what does not fit is told to come back. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

const SPANS = 4;
const TEXT_BYTES = 6_000_000;
const LIST = '/v1/projects/default/spans?limit=1000';

beforeAll(async () => {
  server = await startTestServer({ MAX_MEMORY_MIB: '256' });
  for (let number = 1; number <= SPANS; number++) {
    const span = {
      traceId: traceId(number),
      spanId: spanId(number),
      name: `large ${number}`,
      attributes: { 'output.value': String(number).repeat(TEXT_BYTES) },
    };
    const body = JSON.stringify(traceRequest([span]));
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body });
    expect(sent.status).toBe(200);
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
