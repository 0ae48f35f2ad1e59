/** Spans that are created over REST, read back, and queried as tables. */
import { tableFromIPC } from '@uwdata/flechette';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const sent = await post('/v1/projects/tables/spans', { data: SPANS });
  expect(sent.status).toBe(202);
});

afterAll(() => server[Symbol.asyncDispose]());

const SPANS = [
  {
    name: 'ask',
    context: { trace_id: 't', span_id: 'root' },
    span_kind: 'CHAIN',
    start_time: '2026-01-02T03:04:05.000001Z',
    end_time: '2026-01-02T03:04:07Z',
    status_code: 'OK',
    attributes: { 'session.id': 'chat', 'input.value': 'why?', odd: 'text', metadata: { big: 1, 'a.b': null } },
  },
  {
    name: 'look up',
    context: { trace_id: 't', span_id: 'find' },
    parent_id: 'root',
    span_kind: 'RETRIEVER',
    start_time: '2026-01-02T03:04:06Z',
    end_time: '2026-01-02T03:04:06.5Z',
    status_code: 'ERROR',
    attributes: {
      'session.id': 'chat',
      odd: 5,
      'retrieval.documents': [
        { document: { content: 'one', score: 0.25, metadata: { page: 3 } } },
        { document: { content: 'two', id: 7 } },
        { document: { content: 3 } },
      ],
    },
  },
  {
    name: 'lost',
    context: { trace_id: 'u', span_id: 'orphan' },
    parent_id: 'nowhere',
    span_kind: 'LLM',
    start_time: '2026-01-02T03:04:04Z',
    end_time: '2026-01-02T03:04:08Z',
    status_code: 'UNSET',
    attributes: { 'llm.token_count.prompt': 4, 'llm.token_count.completion': 2 },
  },
];

interface JsonTable {
  readonly schema: {
    readonly fields: readonly { name: string; type: string }[];
    readonly primaryKey: readonly string[];
  };
  readonly data: readonly Record<string, unknown>[];
}

/** The part of the document that is read here. */
interface NewSpanSchema {
  readonly properties: { readonly start_time: Parameters<typeof z.fromJSONSchema>[0] };
}

/** As they are sent, and as they are read; `null` for those that are refused. */
const TIMES: readonly (readonly [time: string | number, stored: string | null])[] = [
  ['2026-01-02T03:04:05.5+02:00', '2026-01-02T01:04:05.500000+00:00'],
  ['197', '1970-01-01T00:03:17+00:00'],
  ['1767319445.25', '2026-01-02T02:04:05.250000+00:00'],
  [197, '1970-01-01T00:03:17+00:00'],
  [1_767_319_445_000, '2026-01-02T02:04:05+00:00'],
  ['1767319445250', '2026-01-02T02:04:05.250000+00:00'],
  [9_007_199_254_740, '2255-06-05T23:47:34.740000+00:00'],
  ['2026-01-02T03:04:05', null],
  ['2026-01-02', null],
  ['soon', null],
  ['1969-12-31T23:59:59Z', null],
  ['15000000000', null],
  [15_000_000_000, null],
  [9_007_199_254_741, null],
  [-5, null],
];

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  return fetch(server.url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
}

/** The tables of an answer; what is asked beside the queries may be given. */
async function query(queries: readonly object[], beside: object = {}, path = '/v1/spans?project_name=tables') {
  const response = await post(path, { queries, ...beside });
  const boundary = /^multipart\/mixed; boundary=(\S+)$/.exec(response.headers.get('content-type') ?? '')?.[1];
  const text = await response.text();
  if (response.status !== 200 || boundary === undefined) throw new Error(`${response.status} ${text}`);
  const parts = text.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => JSON.parse(part.split('\r\n\r\n')[1] ?? '') as JsonTable);
}

/** The rows of the one table, without the places before the names. */
async function rows(sent: object, beside: object = {}) {
  const [table] = await query([sent], beside);
  return table?.data.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(/^\d+_/, ''), value])),
  );
}

function fields({ schema }: JsonTable): Readonly<Record<string, string>> {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, type]));
}

const names = (found: readonly Record<string, unknown>[] | undefined) => found?.map((row) => row['context.span_id']);

describe('created spans', () => {
  it('are read by their own ids, and in their trace and session', async () => {
    const path = `${server.url}/v1/projects/tables`;
    const { data } = await getJson<{ data: object[] }>(`${path}/spans?trace_id=t&span_id=find`);
    expect(data).toMatchObject([
      { parent_id: 'root', status_code: 'ERROR', attributes: { odd: 5, 'session.id': 'chat' } },
    ]);
    const traces = await getJson<{ data: object[] }>(`${path}/traces?error=true&session_identifier=chat`);
    expect(traces.data).toMatchObject([{ trace_id: 't' }]);
    expect(await getJson(`${server.url}/v1/sessions/chat`)).toMatchObject({ data: { traces: [{ trace_id: 't' }] } });
    const original = await getJson<object>(`${server.url}/v1/spans/find/original?format=json`);
    expect(JSON.stringify(original)).toContain('"doubleValue":0.25');
    const twice = await post('/v1/projects/another/spans', { data: SPANS.slice(0, 1) });
    expect([twice.status, await twice.json()]).toMatchObject([400, { total_duplicates: 1, total_queued: 0 }]);
  });

  it('start when their time says, in each form that the document has, and in no other', async () => {
    const { components } = await getJson<{ components: { schemas: { NewSpan: NewSpanSchema } } }>(
      `${server.url}/openapi.json`,
    );
    const form = z.fromJSONSchema(components.schemas.NewSpan.properties.start_time);
    for (const [place, [time, stored]] of TIMES.entries()) {
      expect([time, form.safeParse(time).success]).toEqual([time, stored !== null]);
      const span = {
        ...SPANS[0],
        context: { trace_id: `time ${place}`, span_id: `time ${place}` },
        start_time: time,
        end_time: time,
        events: [{ name: 'e', timestamp: time }],
      };
      const { status } = await post('/v1/projects/times/spans', { data: [span] });
      if (stored === null) expect([time, status]).toEqual([time, expect.toBeOneOf([400, 422])]);
      else {
        const path = `${server.url}/v1/projects/times/spans?trace_id=time%20${place}`;
        const { data } = await getJson<{ data: { start_time: string; events: { timestamp: string }[] }[] }>(path);
        expect([time, data[0]?.start_time, data[0]?.events[0]?.timestamp]).toEqual([time, stored, stored]);
      }
    }
  });
});

it('reads projects and sessions whose names have slashes, encoded or not', async () => {
  const context = { trace_id: 'of org', span_id: 'of org' };
  const span = { ...SPANS[0], context, attributes: { 'session.id': 'user/1' } };
  expect((await post('/v1/projects/org/app/spans', { data: [span] })).status).toBe(202);
  for (const path of ['org/app', 'org%2Fapp']) {
    const response = await fetch(`${server.url}/v1/projects/${path}/spans?limit=1`);
    expect(await response.json()).toMatchObject({ data: [{ context }] });
    expect(await (await fetch(`${server.url}/v1/projects/${path}`)).json()).toMatchObject({
      data: { name: 'org/app' },
    });
  }
  expect(await (await fetch(`${server.url}/v1/sessions/user/1`)).json()).toMatchObject({
    data: { session_id: 'user/1' },
  });
});

describe('a body that is absent', () => {
  it('is told what is missing, while one without a type is told to name it', async () => {
    const path = `${server.url}/v1/projects/tables/spans`;
    const absent = await fetch(path, { method: 'POST' });
    expect([absent.status, absent.headers.get('content-type')]).toEqual([422, 'application/json']);
    expect((await fetch(path, { method: 'POST', body: new Uint8Array([123, 125]) })).status).toBe(415);
  });
});

describe('a query of everything', () => {
  it('is a table with a column for each attribute, its type, and the index twice', async () => {
    const [table] = await query([{}]);
    expect(table?.schema.primaryKey).toEqual(['0_context.span_id']);
    expect(fields(table as JsonTable)).toMatchObject({
      '0_context.span_id': 'string',
      '1_name': 'string',
      '4_start_time': 'datetime',
      '8_events': 'string',
      '9_context.span_id': 'string',
    });
    expect(table?.data).toHaveLength(3);
    expect(table?.data[0]).toMatchObject({
      '0_context.span_id': 'find',
      '4_start_time': '2026-01-02T03:04:06.000000000Z',
    });
    expect(await rows({})).toMatchObject([
      {
        'attributes.odd': 5,
        'attributes.retrieval.documents': [
          { 'document.content': 'one', 'document.score': 0.25, 'document.metadata': { page: 3 } },
          { 'document.content': 'two', 'document.id': 7 },
          { 'document.content': 3 },
        ],
      },
      { name: 'ask', parent_id: null, 'attributes.odd': 'text', start_time: '2026-01-02T03:04:05.000001000Z' },
      { 'attributes.llm.token_count.prompt': 4 },
    ]);
  });

  it('is narrowed by filter, time, roots and limit', async () => {
    expect(names(await rows({ filter: { condition: "span_kind != 'LLM' and attributes['odd'] == 5" } }))).toEqual([
      'find',
    ]);
    expect(names(await rows({}, { start_time: '2026-01-02T03:04:05', end_time: '2026-01-02T03:04:06Z' }))).toEqual([
      'root',
    ]);
    expect(names(await rows({}, { root_spans_only: true }))).toEqual(['root', 'orphan']);
    expect(names(await rows({}, { root_spans_only: true, orphan_span_as_root_span: false }))).toEqual(['root']);
    expect(names(await rows({}, { limit: 1 }))).toEqual(['find']);
    expect(await rows({}, { limit: 0 })).toEqual([]);
  });

  it('finds its project wherever it is named, and no spans in one that does not exist', async () => {
    expect((await query([{}], { project_name: 'tables' }, '/v1/spans'))[0]?.data).toHaveLength(3);
    expect((await query([{}], {}, '/v1/spans?project-name=tables'))[0]?.data).toHaveLength(3);
    const [none] = await query([{}], {}, '/v1/spans');
    expect([none?.data, none?.schema.fields.length]).toEqual([[], 11]);
  });
});

describe('a query of columns', () => {
  it('selects fields and attributes, under other names and another index', async () => {
    const select = {
      name: { key: 'name' },
      latency: { key: 'latency_ms' },
      prompt: { key: "attributes['llm']['token_count']['prompt']" },
      all: { key: 'cumulative_token_count.total' },
      trace_id: { key: 'trace_id' },
    };
    const [table] = await query([{ select, rename: { name: 'step' }, index: { key: 'span_id' } }]);
    expect(fields(table as JsonTable)).toEqual({
      '0_context.span_id': 'string',
      '1_step': 'string',
      '2_latency': 'number',
      '3_prompt': 'number',
      '4_all': 'integer',
      '5_context.trace_id': 'string',
    });
    expect(table?.data[2]).toEqual({
      '0_context.span_id': 'orphan',
      '1_step': 'lost',
      '2_latency': 4000,
      '3_prompt': 4,
      '4_all': 6,
      '5_context.trace_id': 'u',
    });
  });

  it('explodes a list, and joins it', async () => {
    const explode = {
      key: 'retrieval.documents',
      kwargs: { text: 'document.content', page: 'document.metadata.page' },
    };
    expect(await rows({ explode, select: { name: { key: 'name' } } })).toEqual([
      { 'context.span_id': 'find', document_position: 0, name: 'look up', text: 'one', page: 3 },
      { 'context.span_id': 'find', document_position: 1, name: 'look up', text: 'two', page: null },
      { 'context.span_id': 'find', document_position: 2, name: 'look up', text: 3, page: null },
    ]);
    expect(await rows({ explode: { key: 'attributes.retrieval.documents' } })).toMatchObject([
      { 'document.content': 'one', 'document.score': 0.25, 'document.metadata.page': 3 },
      { 'document.content': 'two', 'document.id': 7 },
      { 'document.content': 3 },
    ]);
    const concat = {
      key: 'retrieval.documents',
      kwargs: { text: 'document.content', id: 'document.id' },
      separator: '|',
    };
    expect(await rows({ concat })).toEqual([{ 'context.span_id': 'find', text: 'one|two|3', id: '7' }]);
  });
});

describe('an answer as Arrow', () => {
  it('is a stream for each query, with what pandas needs to know', async () => {
    const queries = [
      { select: { odd: { key: 'odd' }, start: { key: 'start_time' }, docs: { key: 'retrieval.documents' } } },
      {},
    ];
    const response = await post('/v1/spans?project_name=tables', { queries }, { accept: '*/*' });
    expect(response.headers.get('content-type')).toBe('application/x-pandas-arrow');
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()), { useBigInt: true });
    expect(table.names).toEqual(['odd', 'start', 'docs', 'context.span_id']);
    const pandas = JSON.parse(table.schema.metadata?.get('pandas') ?? '{}') as object;
    expect(pandas).toMatchObject({ index_columns: ['context.span_id'] });
    expect(table.get(1)).toMatchObject({ odd: '"text"', docs: null, 'context.span_id': 'root' });
    expect(table.get(0)).toMatchObject({ odd: '5', 'context.span_id': 'find' });
  });
});

describe('what is no query', () => {
  it('is refused with what is wrong', async () => {
    const none = await post('/v1/spans', { queries: [] });
    expect([none.status, none.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    for (const sent of [
      { filter: { condition: "span_kind = 'LLM'" } },
      { select: { x: { key: '' } } },
      { explode: { key: 'documents[' } },
    ]) {
      const refused = await post('/v1/spans?project_name=tables', { queries: [sent] });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'text/plain; charset=utf-8']);
    }
    const form = await post('/v1/spans', { queries: [{ select: [] }], limit: -1 });
    expect([form.status, form.headers.get('content-type')]).toEqual([422, 'application/json']);
  });
});

describe('a deleted span', () => {
  it('can be created again', async () => {
    const removed = await fetch(`${server.url}/v1/spans/orphan`, { method: 'DELETE' });
    expect(removed.status).toBe(204);
    expect(names(await rows({}))).toEqual(['find', 'root']);
    expect((await post('/v1/projects/tables/spans', { data: SPANS.slice(2) })).status).toBe(202);
    expect(names(await rows({}))).toEqual(['find', 'root', 'orphan']);
  });
});
