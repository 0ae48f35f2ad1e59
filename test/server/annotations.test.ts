/** Annotations and notes over REST: what the interface promises, a test for each statement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
const SPAN = spanId(1);
const OTHER = spanId(2);
const TRACE = traceId(1);

const KINDS = [
  { kind: 'span', field: 'span_id', key: SPAN, type: 'SpanAnnotation' },
  { kind: 'trace', field: 'trace_id', key: TRACE, type: 'TraceAnnotation' },
  { kind: 'session', field: 'session_id', key: 'chat', type: 'ProjectSessionAnnotation' },
] as const;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${server.url}${path}`, { method, ...sent });
  return {
    status: response.status,
    text: await response.text(),
    contentType: response.headers.get('content-type') ?? '',
  };
}

async function askData(
  method: string,
  path: string,
  body?: unknown,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { status, text } = await ask(method, path, body);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return (JSON.parse(text) as { data: Readonly<Record<string, unknown>>[] }).data;
}

beforeAll(async () => {
  server = await startTestServer();
  const attributes = { 'session.id': 'chat', 'retrieval.documents.0.document.content': 'one' };
  const spans = [
    { traceId: TRACE, spanId: SPAN, attributes },
    { traceId: TRACE, spanId: OTHER, parentSpanId: SPAN },
  ];
  expect((await ask('POST', '/v1/traces', traceRequest(spans, { 'openinference.project.name': 'app' }))).status).toBe(
    200,
  );
  const elsewhere = [{ traceId: traceId(7), spanId: spanId(7), attributes: { 'session.id': 'elsewhere' } }];
  await ask('POST', '/v1/traces', traceRequest(elsewhere, { 'openinference.project.name': 'other' }));
});

afterAll(() => server[Symbol.asyncDispose]());

describe.each(KINDS)('annotations of a $kind', ({ kind, field, key, type }) => {
  const path = `/v1/${kind}_annotations`;
  const list = `/v1/projects/app/${kind}_annotations`;
  const item = (name: string, more: object = {}) => ({ [field]: key, name, annotator_kind: 'LLM', ...more });
  const store = (...data: readonly object[]) => askData('POST', `${path}?sync=true`, { data });
  const read = (query: string) => askData('GET', `${list}?${query}`);

  it('come back as they were sent, in the order of the answer', async () => {
    const result = { label: 'yes', score: 0, explanation: 'why' };
    const [first] = await store(item('whole', { result, metadata: { a: [1, 'x'] }, identifier: 'me' }));
    expect(Buffer.from(String(first?.['id']), 'base64').toString()).toMatch(new RegExp(`^${type}:\\d+$`));
    expect(await read('identifier=me')).toEqual([
      {
        id: first?.['id'],
        [field]: key,
        name: 'whole',
        annotator_kind: 'LLM',
        result,
        metadata: { a: [1, 'x'] },
        identifier: 'me',
        source: 'API',
        user_id: null,
        created_at: expect.stringMatching(/\+00:00$/),
        updated_at: expect.stringMatching(/\+00:00$/),
      },
    ]);
  });

  it('overwrite one another by name and identifier, with nothing, too, and give one id for one key', async () => {
    const [a, b] = await store(
      item('again', { result: { score: 1 } }),
      item('again', { result: null, metadata: null }),
    );
    expect(a).toEqual(b);
    const [only, ...others] = await read(`${field}s=${key}&include_annotation_names=again`);
    expect(only).toMatchObject({ id: a?.['id'], result: { score: null, label: null }, metadata: {} });
    expect(others).toEqual([]);
  });

  it('are refused with the name of notes, and nothing of the batch is stored', async () => {
    for (const query of ['', '?sync=true']) {
      const refused = await ask('POST', `${path}${query}`, { data: [item('beside'), item('note')] });
      expect([refused.status, refused.contentType]).toEqual([400, expect.stringContaining('text/plain')]);
    }
    expect(await read(`${field}s=${key}&include_annotation_names=beside`)).toEqual([]);
  });

  it('need targets that are there, which the answer names, and nothing of the batch is stored', async () => {
    const refused = await ask('POST', `${path}?sync=true`, {
      data: [item('beside'), { ...item('x'), [field]: 'gone' }],
    });
    expect(refused).toMatchObject({ status: 404, text: expect.stringContaining('gone (annotation 1)') });
    expect(await read(`${field}s=${key}&include_annotation_names=beside`)).toEqual([]);
  });

  it('are an empty list where they are sent without waiting, and are stored', async () => {
    expect(await askData('POST', path, { data: [item('later', { result: { score: 1 } })] })).toEqual([]);
    expect(await read(`${field}s=${key}&include_annotation_names=later`)).toMatchObject([{ result: { score: 1 } }]);
    expect(await askData('POST', path, { data: [] })).toEqual([]);
    expect(await store()).toEqual([]);
  });

  it.each([
    ['no kind', { annotator_kind: undefined }, 'annotator_kind'],
    ['a wrong kind', { annotator_kind: 'human' }, 'annotator_kind'],
    ['a score that is no number', { result: { score: '1' } }, 'score'],
    ['no identifier', { identifier: null }, 'identifier'],
    ['metadata that are no object', { metadata: [] }, 'metadata'],
  ])('are refused with %s', async (_what, more, place) => {
    const { status, text } = await ask('POST', path, { data: [item('bad', more)] });
    expect(status).toBe(422);
    expect(JSON.stringify((JSON.parse(text) as { detail: unknown }).detail)).toContain(place);
  });

  it.each([
    ['NUL', { name: 'a\0' }],
    ['100 KB of explanation', { result: { explanation: 'x'.repeat(100_000) } }],
    ['an empty name', { name: '' }],
  ])('are refused with %s', async (_what, more) => {
    expect((await ask('POST', path, { data: [item('bad', more)] })).status).toBe(422);
  });

  it('are refused with metadata of any depth beyond the limit', async () => {
    const send = async (depth: number) => {
      // JSON.stringify cannot write it.
      const metadata = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const body = `{"data":[{"${field}":"${key}","name":"deep","annotator_kind":"CODE","metadata":${metadata}}]}`;
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
      return [response.status, await response.text()];
    };
    expect(await send(32)).toEqual([200, expect.any(String)]);
    for (const depth of [33, 100_000])
      expect(await send(depth)).toEqual([422, expect.stringContaining('deeper than 32')]);
  });

  it('are read by ids, by identifier, or by both', async () => {
    await store(item('first', { identifier: 'both' }), item('second', { identifier: 'both' }));
    const neither = await ask('GET', list);
    expect([neither.status, neither.contentType]).toEqual([422, expect.stringContaining('text/plain')]);
    expect((await ask('GET', `/v1/projects/nowhere/${kind}_annotations`)).status).toBe(422);
    expect((await ask('GET', `${list}?${field}s=gone`)).status).toBe(404);
    expect(await read(`${field}s=gone&identifier=both`)).toEqual([]);
    expect(await read('identifier=unused')).toEqual([]);
    expect(await read(`${field}s=${key}&include_annotation_names=unused`)).toEqual([]);
    expect(await read(`${field}s=${key}&${field}s=${key}&identifier=both`)).toHaveLength(2);
    expect(await read('identifier=both&exclude_annotation_names=first')).toMatchObject([{ name: 'second' }]);
    expect(await askData('GET', `/v1/projects/other/${kind}_annotations?identifier=both`)).toEqual([]);
    const many = Array.from({ length: 1001 }, (_, number) => `identifier=${number}`).join('&');
    expect((await ask('GET', `${list}?${many}`)).status).toBe(422);
    expect((await ask('GET', `${list}?identifier=`)).status).toBe(422);
    expect((await ask('GET', `/v1/projects/nowhere/${kind}_annotations?identifier=x`)).status).toBe(404);
  });

  it('are read page by page, newest first', async () => {
    const names = ['p1', 'p2', 'p3'];
    for (const name of names) await store(item(name, { identifier: 'pages' }));
    const first = await ask('GET', `${list}?identifier=pages&limit=2`);
    const { data, next_cursor: cursor } = JSON.parse(first.text) as { data: { name: string }[]; next_cursor: string };
    expect(data.map(({ name }) => name)).toEqual(['p3', 'p2']);
    expect(await read(`identifier=pages&limit=2&cursor=${encodeURIComponent(cursor)}`)).toMatchObject([{ name: 'p1' }]);
    expect((await ask('GET', `${list}?identifier=pages&cursor=nonsense`)).status).toBe(422);
  });

  it('are deleted by what matches, within the project, where both times or all are named', async () => {
    const strange = encodeURIComponent("a'b%/?");
    await store(item('doomed', { identifier: "a'b%/?" }), item('kept', { identifier: 'kept' }));
    for (const query of ['', '?start_time=2020-01-01T00:00:00Z', '?delete_all=false&name=doomed']) {
      expect((await ask('DELETE', `${list}${query}`)).status).toBe(422);
      expect((await ask('DELETE', `/v1/projects/nowhere/${kind}_annotations${query}`)).status).toBe(422);
    }
    expect((await ask('DELETE', `${list}?delete_all=true&name=`)).status).toBe(422);
    expect((await ask('DELETE', `/v1/projects/nowhere/${kind}_annotations?delete_all=true`)).status).toBe(404);
    const backwards = 'start_time=2021-01-01T00:00:00Z&end_time=2021-01-01T00:00:00Z';
    expect((await ask('DELETE', `${list}?${backwards}`)).status).toBe(422);
    const past = 'start_time=2020-01-01T00:00:00&end_time=2020-02-01T00:00:00';
    expect((await ask('DELETE', `${list}?${past}`)).status).toBe(204);
    expect((await ask('DELETE', `/v1/projects/other/${kind}_annotations?delete_all=true`)).status).toBe(204);
    expect(await read(`identifier=${strange}&identifier=kept`)).toHaveLength(2);
    expect((await ask('DELETE', `${list}?delete_all=true&identifier=${strange}`)).status).toBe(204);
    expect(await read(`identifier=${strange}&identifier=kept`)).toMatchObject([{ name: 'kept' }]);
    const now = 'start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z&name=kept&annotator_kind=LLM';
    expect((await ask('DELETE', `${list}?${now}`)).status).toBe(204);
    expect(await read('identifier=kept')).toEqual([]);
  });

  it('are deleted by their ids', async () => {
    const [stored] = await store(item('single', { identifier: 'single' }));
    expect((await ask('DELETE', `${path}/nonsense`)).status).toBe(422);
    expect((await ask('DELETE', `${path}/${stored?.['id']}`)).status).toBe(204);
    expect((await ask('DELETE', `${path}/${stored?.['id']}`)).status).toBe(404);
    expect(await read('identifier=single')).toEqual([]);
  });

  it('have targets whose names are bounded text, which answers cut', async () => {
    for (const bad of ['a\0b', '\ud800', ...(kind === 'session' ? [] : ['x'.repeat(257)])]) {
      const data = [item('bad'), { ...item('bad'), [field]: bad }];
      for (const query of ['?sync=true', '']) {
        const { status, text } = await ask('POST', `${path}${query}`, { data });
        expect([status, text]).toEqual([422, expect.stringMatching(/^Annotation 1: The \w+ id /)]);
      }
    }
    expect((await ask('GET', `${list}?${field}s=a%00b`)).status).toBe(422);
    expect((await ask('GET', `${list}?identifier=a%00b`)).status).toBe(422);
    expect((await ask('GET', `${list}?identifier=a&include_annotation_names=%00`)).status).toBe(422);
    expect((await ask('DELETE', `${list}?delete_all=true&name=a%00b`)).status).toBe(422);
    const long = 'y'.repeat(kind === 'session' ? 100_000 : 256);
    const missing = await ask('POST', `${path}?sync=true`, { data: [{ ...item('bad'), [field]: long }] });
    expect(missing).toMatchObject({ status: 404, text: expect.stringContaining(`${'y'.repeat(64)}… (annotation 0)`) });
  });

  it('have notes, one for each call unless an identifier is given', async () => {
    const note = async (text: string, identifier?: string) => {
      const { status, text: answer } = await ask('POST', `/v1/${kind}_notes`, {
        data: { [field]: key, note: text, identifier },
      });
      expect([status, answer]).toEqual([200, expect.any(String)]);
      return (JSON.parse(answer) as { data: { id: string } }).data.id;
    };
    expect(await note(' one ')).not.toBe(await note('two', ''));
    expect(await note('three', 'mine')).toBe(await note('four', ' mine '));
    const notes = await read(`${field}s=${key}&include_annotation_names=note&limit=10`);
    const own = expect.stringMatching(new RegExp(`^px-${kind}-note:[0-9a-f-]{36}$`)) as string;
    expect(notes).toMatchObject([
      { identifier: 'mine', result: { explanation: 'four' }, annotator_kind: 'HUMAN', metadata: {}, source: 'API' },
      { identifier: own, result: { explanation: 'two', label: null, score: null } },
      { identifier: own, result: { explanation: 'one' } },
    ]);
    expect((await ask('POST', `/v1/${kind}_notes`, { data: { [field]: key, note: '  ' } })).status).toBe(422);
    expect((await ask('POST', `/v1/${kind}_notes`, { data: { [field]: ' ', note: 'x' } })).status).toBe(422);
    expect((await ask('POST', `/v1/${kind}_notes`, { data: { [field]: 'gone', note: 'x' } })).status).toBe(404);
  });
});

describe('annotations of documents', () => {
  const item = { span_id: SPAN, document_position: 0, name: 'relevance', annotator_kind: 'LLM', result: { score: 0 } };
  const send = (more: object, query = '?sync=true') =>
    ask('POST', `/v1/document_annotations${query}`, { data: [{ ...item, ...more }] });

  it('have a position among those that the span retrieved, and no identifier', async () => {
    const stored = await send({ identifier: ' ' });
    expect(stored.status).toBe(200);
    expect(await send({})).toEqual(stored);
    expect(await send({ document_position: 1 })).toMatchObject({
      status: 422,
      text: expect.stringContaining('1 retrieved'),
    });
    expect((await send({ document_position: -1 })).status).toBe(422);
    expect((await send({ identifier: 'x' })).status).toBe(422);
    expect((await send({ name: 'note' })).status).toBe(400);
    expect(await send({ span_id: 'a\0' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('Annotation 0: The span id contains a NUL'),
    });
    expect((await send({ span_id: 'gone' })).status).toBe(404);
  });
});

describe('annotations that come before their target', () => {
  it('are stored when it arrives, the newest of one key', async () => {
    await using early = await startTestServer();
    const post = async (url: string, path: string, body: unknown) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [response.status, await response.text()];
    };
    const late = { span_id: spanId(9), name: 'burst', annotator_kind: 'CODE' };
    for (const score of [1, 2, 3]) {
      const body = { data: [{ ...late, result: { score } }] };
      expect(await post(early.url, '/v1/span_annotations', body)).toEqual([200, '{"data":[]}']);
    }
    const read = async () => {
      const response = await fetch(`${early.url}/v1/projects/default/span_annotations?span_ids=${spanId(9)}`);
      return response.status === 404 ? 404 : ((await response.json()) as { data: unknown }).data;
    };
    expect(await read()).toBe(404);
    expect((await post(early.url, '/v1/traces', traceRequest([{ traceId: traceId(9), spanId: spanId(9) }])))[0]).toBe(
      200,
    );
    expect(await read()).toMatchObject([{ name: 'burst', result: { score: 3 } }]);
  });

  it('wait for it while the server restarts', async () => {
    await using early = await startTestServer();
    const headers = { 'content-type': 'application/json' };
    const post = (url: string, body: unknown) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const late = { span_id: spanId(9), name: 'patient', annotator_kind: 'CODE', result: { score: 3 } };
    expect((await post(`${early.url}/v1/span_annotations`, { data: [late] })).status).toBe(200);
    await early.server.close();
    await using later = await startTestServer({ ...early.data.settings, WORKING_DIR: early.folder });
    const sent = traceRequest([{ traceId: traceId(9), spanId: spanId(9) }]);
    expect((await post(`${later.url}/v1/traces`, sent)).status).toBe(200);
    const response = await fetch(`${later.url}/v1/projects/default/span_annotations?span_ids=${spanId(9)}`);
    expect(await response.json()).toMatchObject({ data: [{ name: 'patient', result: { score: 3 } }] });
  });
});

describe('metadata', () => {
  const numbers = '{"id":9007199254740993,"whole":1.0,"digits":0.12345678901234567890,"tiny":1e-400}';
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body, headers });
    return response.text();
  };
  const read = (name: string) =>
    ask('GET', `/v1/projects/app/span_annotations?span_ids=${SPAN}&include_annotation_names=${name}`);

  it('comes back with every digit that was sent over REST', async () => {
    const item = `{"span_id":"${SPAN}","name":"digits","annotator_kind":"LLM","result":{"score":1.0},"metadata":${numbers}}`;
    const stored = await post('/v1/span_annotations?sync=true', `{"data":[${item}]}`);
    expect(JSON.parse(stored)).toMatchObject({ data: [{ id: expect.any(String) }] });
    const { text } = await read('digits');
    expect(text).toContain(`"metadata":${numbers}`);
    expect(text).toContain('"score":1,');
  });

  it('comes back with every digit that was sent over GraphQL, as a variable and in the operation', async () => {
    const found = await post('/graphql', JSON.stringify({ query: `{ getSpanByOtelId(spanId: "${SPAN}") { id } }` }));
    const { id } = (JSON.parse(found) as { data: { getSpanByOtelId: { id: string } } }).data.getSpanByOtelId;
    const said = (name: string) => `name: "${name}", annotatorKind: LLM, source: API, score: $score`;
    const query = `mutation($metadata: JSON!, $score: Float, $list: [CreateSpanAnnotationInput!]!) {
      literal: createSpanAnnotations(input: [{ spanId: "${id}", ${said('literal')}, metadata: ${numbers.replaceAll(/"(\w+)":/g, '$1: ')} }]) { spanAnnotations { metadata } }
      variable: createSpanAnnotations(input: [{ spanId: "${id}", ${said('variable')}, metadata: $metadata }]) { spanAnnotations { metadata } }
      input: createSpanAnnotations(input: $list) { spanAnnotations { metadata score } } }`;
    const item = `{"spanId":"${id}","name":"input","annotatorKind":"LLM","source":"API","score":2.0,"metadata":${numbers}}`;
    const answer = await post(
      '/graphql',
      `{"query":${JSON.stringify(query)},"variables":{"metadata":${numbers},"score":1.0,"list":[${item}]}}`,
    );
    expect(answer.split(`"metadata":${numbers}`)).toHaveLength(4);
    expect(answer).toContain('"score":2}');
    expect((await read('variable')).text).toContain(`"metadata":${numbers}`);
  });
});

describe('a strict annotation config', () => {
  it('has a request refused as a whole, whether it waits for the answer or not', async () => {
    const config = { type: 'CONTINUOUS', name: 'bounded', lower_bound: 0, upper_bound: 1, is_strict: true };
    const made = await ask('POST', '/v1/annotation_configs', { ...config, optimization_direction: 'MAXIMIZE' });
    expect([made.status, made.text]).toEqual([200, expect.any(String)]);
    const item = (score: number) => ({ span_id: SPAN, name: 'bounded', annotator_kind: 'LLM', result: { score } });
    for (const query of ['?sync=true', '']) {
      const { status, text, contentType } = await ask('POST', `/v1/span_annotations${query}`, {
        data: [item(1), item(2)],
      });
      expect([status, contentType]).toEqual([422, expect.stringContaining('text/plain')]);
      expect(text).toBe('Annotation 1: The annotation config "bounded" is strict: a score must be at most 1.');
    }
    expect(
      await askData('GET', `/v1/projects/app/span_annotations?span_ids=${SPAN}&include_annotation_names=bounded`),
    ).toEqual([]);
  });
});
