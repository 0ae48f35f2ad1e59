import { gunzipSync, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askGraphql, postGraphql, queryGraphql, readEvents, readTexts } from '../harness/graphql.ts';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const DEFAULT_PROJECT = 'UHJvamVjdDox';
const SUBSCRIBE = `subscription($id: ID!) { projectChanges(projectId: $id) { traceIds changedAt project { name } } }`;
const ANONYMOUS_SUBSCRIPTION = `subscription { projectChanges(projectId: "${DEFAULT_PROJECT}") { changedAt } }`;
const CHART = 'histogram { scale }';
const EVENTS = { accept: 'text/event-stream' };
const MULTIPART = { accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json' };

let server: TestServer;
let url: string;

beforeAll(async () => {
  server = await startTestServer();
  url = server.url;
});

afterAll(() => server[Symbol.asyncDispose]());

async function sendTrace(number: number): Promise<void> {
  const body = traceBody([{ traceId: traceId(number), spanId: spanId(number) }]);
  await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** The first results of a stream. */
async function take<T>(results: AsyncGenerator<T>, count: number, onEach: (index: number) => unknown = () => {}) {
  const taken: T[] = [];
  for await (const result of results) {
    taken.push(result);
    await onEach(taken.length);
    if (taken.length === count) break;
  }
  return taken;
}

describe('a request', () => {
  it('is answered with 200 and JSON, variables and the name of the operation taken', async () => {
    const query = 'query A { projectCount } query B($name: String!) { getProjectByName(name: $name) { id } }';
    const response = await postGraphql(url, { query, variables: { name: 'default' }, operationName: 'B' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await response.json()).toEqual({ data: { getProjectByName: { id: DEFAULT_PROJECT } } });
  });

  it('that fails is answered with 200 and errors that say where', async () => {
    const response = await postGraphql(url, { query: '{ projectCount node(id: "x") { id } }' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      data: null,
      errors: [
        {
          message: 'This is not the id of any type of object.',
          locations: [{ line: 1, column: 16 }],
          path: ['node'],
          extensions: { code: 'invalid_argument' },
        },
      ],
    });
  });

  it.each([
    ['{ nothing }', /Cannot query field "nothing"/],
    ['{ projectCount', /Syntax Error/],
    ['{ node(id: "UHJvamVjdDo5OQ==") { id } }', /no object with the id/],
    ['query A { projectCount } query B { projectCount }', /choose one with operationName, A or B/],
  ])('%s is refused in words', async (query, message) => {
    const { data, errors } = await askGraphql(url, query);
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(message);
  });

  it('for a thing that is not there says not_found, for what is no id invalid_argument', async () => {
    const codeOf = async (id: string) => {
      const { errors } = await askGraphql(url, 'query($id: ID!) { node(id: $id) { id } }', { id });
      return errors?.[0]?.extensions?.code;
    };
    expect(await codeOf(btoa('Project:99'))).toBe('not_found');
    expect(await codeOf(btoa('Project:x'))).toBe('invalid_argument');
    expect(await codeOf(btoa('Nothing:1'))).toBe('invalid_argument');
    expect(await queryGraphql(url, 'query($id: ID!) { nodes(ids: [$id]) { id } }', { id: btoa('Project:99') })).toEqual(
      {
        nodes: [null],
      },
    );
  });

  it.each([
    ['no object', '[]', 400],
    ['without a query', '{}', 400],
    ['variables that are a list', '{"query":"{projectCount}","variables":[1]}', 400],
    ['no JSON', '{', 422],
    ['too large', JSON.stringify({ query: '#'.repeat(1024 * 1024) }), 413],
  ])('with a body that is %s is refused', async (_what, body, status) => {
    expect((await postGraphql(url, body)).status).toBe(status);
  });

  it('with a compressed body is refused', async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"query":"{projectCount}"}'),
    });
    expect([response.status, await response.text()]).toEqual([415, expect.stringContaining('Content-Encoding')]);
  });

  it('that a page of any origin could send is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const response = await postGraphql(url, '{"query":"{projectCount}"}', { 'content-type': type });
      expect(response.status).toBe(415);
    }
    const foreign = await postGraphql(url, { query: '{ projectCount }' }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
  });

  it('by another method is told which there are', async () => {
    const response = await fetch(`${url}/graphql`, { method: 'PUT', headers: { 'content-type': 'a/b' }, body: 'x' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('changes nothing by GET', async () => {
    const query = encodeURIComponent('mutation { createProject(input: {name: "by get"}) { project { id } } }');
    await fetch(`${url}/graphql?query=${query}`);
    expect(await queryGraphql(url, '{ getProjectByName(name: "by get") { id } }')).toEqual({ getProjectByName: null });
  });

  it('is answered in gzip where the client takes it', async () => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const body = JSON.stringify({ query: '{ __schema { types { name fields { name } } } }' });
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
    request(`${url}/graphql`, { method: 'POST', headers }, resolve).end(body);
    const response = await promise;
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(await buffer(response)).toString()).toContain('"Project"');
  });
});

/** Begins a request of that many bytes. */
function head(length: number, accept = '*/*'): string {
  const lines = ['POST /graphql HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', `Accept: ${accept}`];
  return `${lines.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Sends bytes on a connection of its own. */
async function send(bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return socket;
}

describe('many bodies that do not end', () => {
  it('have room up to a bound, and leave that of others alone', async () => {
    const sockets = await Promise.all(Array.from({ length: 80 }, () => send(head(1_000_000) + 'x'.repeat(900_000))));
    const [refusal] = await Promise.race(sockets.map((socket) => once(socket, 'data')));
    expect(String(refusal)).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 1\r\n/s);
    expect(await queryGraphql(url, '{ __typename }')).toEqual({ __typename: 'Query' });
    for (const socket of sockets) socket.destroy();
    expect(server.complaints).toEqual([]);
  });
});

describe('a client that leaves', () => {
  it.each([
    ['in the middle of its body', head(1000) + '{"query":'],
    ...['*/*', 'text/event-stream', MULTIPART.accept].flatMap((accept) =>
      ['{ projectCount }', '{ projects(first: 1000) { edges { node { recordCount } } } }', ANONYMOUS_SUBSCRIPTION].map(
        (query) => {
          const body = JSON.stringify({ query });
          return [`after ${query} with ${accept}`, head(body.length, accept) + body];
        },
      ),
    ),
  ])('%s is no fault', async (_when, bytes) => {
    for (let round = 0; round < 5; round++) {
      const socket = await send(bytes);
      socket.resetAndDestroy();
    }
    // Those that came before are through when a later one is answered.
    for (let round = 0; round < 5; round++) await queryGraphql(url, '{ projectCount }');
    expect(server.complaints).toEqual([]);
  });
});

describe('limits', () => {
  it.each([
    ['depth', `{ __type(name: "Project") { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} } }`, /22 levels deep/],
    ['aliases', `{ ${Array.from({ length: 51 }, (_, index) => `a${index}: projectCount`).join(' ')} }`, /51 aliases/],
    [
      'values',
      `{ nodes(ids: [${`"${btoa('Project:1')}" `.repeat(300)}]) { ... on Project { ${CHART} } } }`,
      /250,000 values/,
    ],
    ['tokens', `{ ${'projectCount '.repeat(5000)} }`, /5000 tokens/],
    ['nesting of text', `{${'a{'.repeat(2400)}`, /nested too deeply|Syntax Error/],
  ])('bound %s', async (_what, query, message) => {
    const { data, errors } = await askGraphql(url, query);
    expect(data ?? null).toBeNull();
    expect(errors?.map((error) => error.message).join()).toMatch(message);
    expect(server.complaints).toEqual([]);
  });

  it.each(['first: 0', 'first: 1001', 'last: 1001', 'after: "x"'])('bound pages: %s', async (argument) => {
    const { errors } = await askGraphql(url, `{ projects(${argument}) { edges { cursor } } }`);
    expect(errors?.[0]?.extensions?.code).toBe('invalid_argument');
  });
});

describe('spans that are together too large', () => {
  const MIB = 1024 * 1024;

  /** In two requests, each within the bound of one. */
  async function sendLarge(name: string, first: number, large: { readonly span?: object; readonly resource?: object }) {
    for (const half of [0, 1]) {
      const spans = Array.from({ length: 35 }, (_, index) => ({
        traceId: traceId(first),
        spanId: spanId(first + half * 100 + index),
        ...large.span,
      }));
      const response = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: traceBody(spans, { 'openinference.project.name': name, ...large.resource }),
      });
      expect(response.status).toBe(200);
    }
  }

  const ask = (name: string, selection: string, first: number, after: string | null = null) =>
    askGraphql(
      url,
      `query($name: String!, $after: String) { getProjectByName(name: $name) { spans(first: ${first}, after: $after) {
        pageInfo { hasNextPage endCursor } edges { node { spanId ${selection} } } } } }`,
      { name, after },
    );

  it('by what they report come in pages that end early', async () => {
    const name = 'large reports';
    await sendLarge(name, 1000, { span: { events: [{ name: 'x'.repeat(MIB) }] } });
    const found = new Set<string>();
    let pages = 0;
    for (let after: string | null = null; pages === 0 || after !== null; pages++) {
      const answer = (await ask(name, 'events { timestamp }', 70, after)) as unknown as LargeAnswer;
      const { edges, pageInfo } = answer.data.getProjectByName.spans;
      expect(edges.length).toBeLessThan(35);
      for (const { node } of edges) found.add(node.spanId);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    }
    expect([found.size, pages > 2]).toEqual([70, true]);
    expect(server.complaints).toEqual([]);
  });

  interface LargeAnswer {
    readonly data: {
      readonly getProjectByName: {
        readonly spans: {
          readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
          readonly edges: readonly { readonly node: { readonly spanId: string } }[];
        };
      };
    };
  }

  it('by what produced them are refused before they fill the memory', async () => {
    const name = 'large resources';
    await sendLarge(name, 2000, { resource: { text: 'x'.repeat(MIB) } });
    expect(await ask(name, 'otelResource', 10)).toMatchObject({
      data: { getProjectByName: { spans: { edges: { length: 10 } } } },
    });
    expect((await ask(name, 'otelResource', 70)).errors?.[0]?.extensions?.code).toBe('resource_exhausted');
    expect(server.complaints).toEqual([]);
  });
});

describe('a subscription', () => {
  it('is answered with server-sent events: at once, and when spans were stored', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    const response = await postGraphql(url, { query: SUBSCRIBE, variables: { id: DEFAULT_PROJECT } }, EVENTS);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = await take(readEvents(response), 2, (index) => (index === 1 ? sendTrace(1) : undefined));
    expect(events).toMatchObject([
      { data: { projectChanges: { traceIds: null, project: { name: 'default' } } } },
      { data: { projectChanges: { traceIds: [traceId(1)] } } },
    ]);
    process.off('warning', note);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  it('ends where its address has taken all of them and another one comes, which is served', async () => {
    const texts: string[] = [];
    const subscribe = async (localAddress: string) => {
      const headers = { ...EVENTS, 'content-type': 'application/json' };
      const asked = request(`${url}/graphql`, { method: 'POST', headers, localAddress, agent: false });
      asked.end(JSON.stringify({ query: ANONYMOUS_SUBSCRIPTION }));
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      const place = texts.push('') - 1;
      answer.on('data', (data: Buffer) => (texts[place] += data.toString()));
      await expect.poll(() => texts[place]).toContain('event: next');
      return asked;
    };
    const greedy = [];
    for (let count = 0; count < 100; count++) greedy.push(await subscribe('127.0.0.2'));
    greedy.push(await subscribe('127.0.0.2'));
    expect(texts.at(-1)).toContain('Too many subscriptions');
    greedy.push(await subscribe('127.0.0.3'));
    expect(texts.at(-1)).toContain('changedAt');
    await expect.poll(() => texts[0]).toContain('event: complete');
    expect(texts.filter((text) => text.includes('complete'))).toHaveLength(2);
    for (const asked of greedy) asked.destroy();
  });

  it("is answered with Apollo's parts", async () => {
    const response = await postGraphql(url, { query: SUBSCRIBE, variables: { id: DEFAULT_PROJECT } }, MULTIPART);
    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"');
    let text = '';
    for await (const more of readTexts(response)) {
      text += more;
      if (text.split('--graphql').length > 2) break;
    }
    const [begin, headers, body, end] = text.split('\r\n').filter((line) => line !== '');
    expect([begin, headers, end]).toEqual(['--graphql', 'Content-Type: application/json', '--graphql']);
    expect(JSON.parse(body ?? '')).toMatchObject({ payload: { data: { projectChanges: { traceIds: null } } } });
  });

  it('that cannot begin says why in the same form', async () => {
    const body = { query: SUBSCRIBE, variables: { id: 'UHJvamVjdDo5OQ==' } };
    const events = await take(readEvents(await postGraphql(url, body, EVENTS)), 2);
    expect(events).toMatchObject([
      { errors: [{ message: 'There is no such project.', extensions: { code: 'not_found' } }] },
    ]);
  });

  it('is refused where the client takes one answer alone', async () => {
    const response = await postGraphql(url, { query: SUBSCRIBE, variables: { id: DEFAULT_PROJECT } });
    expect(response.status).toBe(406);
    expect(await response.text()).toContain('text/event-stream');
  });

  it('ends with the server', async () => {
    const other = await startTestServer();
    const body = { query: SUBSCRIBE, variables: { id: DEFAULT_PROJECT } };
    const [events, parts] = await Promise.all(
      [EVENTS, MULTIPART].map((headers) => postGraphql(other.url, body, headers)),
    );
    const begun = performance.now();
    await other[Symbol.asyncDispose]();
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(await events?.text()).toMatch(/event: complete\ndata:\n\n$/);
    expect(await parts?.text()).toMatch(/\r\n--graphql--\r\n$/);
  });

  it('gives its place back when its client goes', async () => {
    const body = { query: SUBSCRIBE, variables: { id: DEFAULT_PROJECT } };
    for (let round = 0; round < 3; round++) {
      const responses = await Promise.all(Array.from({ length: 60 }, () => postGraphql(url, body, EVENTS)));
      await Promise.all(
        responses.map(async (response) => {
          const [first] = await take(readEvents(response), 1);
          expect(first).toMatchObject({ data: {} });
        }),
      );
      // The server learns of it when the connection closes.
      await expect.poll(() => isRoomFor(40)).toBe(true);
    }
  });
});

async function isRoomFor(count: number): Promise<boolean> {
  const body = { query: SUBSCRIBE, variables: { id: DEFAULT_PROJECT } };
  const responses = await Promise.all(Array.from({ length: count }, () => postGraphql(url, body, EVENTS)));
  const firsts = await Promise.all(responses.map((response) => take(readEvents(response), 1)));
  return firsts.every(([first]) => first?.data != null);
}

describe('below a root path', () => {
  it('everything answers', async () => {
    await using below = await startTestServer({ HOST_ROOT_PATH: '/tools/cairn' });
    expect(await queryGraphql(below.url, '{ projectCount }')).toEqual({ projectCount: 1 });
  });
});
