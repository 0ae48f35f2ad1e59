/** The unmodified Phoenix clients of Python. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startAskingServer } from '../harness/asking-server.ts';
import { findPython } from '../harness/python.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer } from '../harness/server.ts';

const python = findPython();
const why = python.program === null ? ` (skipped: ${python.reason})` : '';

/** A table as pandas has it. */
interface Table {
  readonly columns: Readonly<Record<string, string>>;
  readonly levels: readonly string[];
  readonly index: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

const NAME = 'the Python client writes spans, and reads them as lists and as data frames';

const WAYS = [
  ['', async () => ({ server: await startTestServer(), key: {} })],
  [
    ' with a key from its environment',
    async () => {
      const server = await startAskingServer();
      return { server, key: { PHOENIX_API_KEY: server.key } };
    },
  ],
] as const;

const SCRIPT = join(import.meta.dirname, 'spans.py');

it.skipIf(python.program === null).each(WAYS)(`${NAME}%s${why}`, async (_way, start) => {
  const { server: started, key } = await start();
  await using server = started;
  const { stdout } = await run([SCRIPT, server.url], key);
  const { whole, arrow, ...result } = JSON.parse(stdout) as { whole: Table; arrow: Table };
  expect(result).toEqual({
    logged: { total_received: 3, total_queued: 3 },
    refused: [
      [3, 0],
      [0, 1],
    ],
    annotations: [
      2,
      [
        ['span 0', 'quality', 0, null],
        ['span 1', 'framed', 0.5, null],
        ['span 2', 'quality', 0, null],
        ['span 2', 'single', null, 'good'],
      ],
      ['quality', 'single'],
      ['seen'],
    ],
    ids: [['span 2', 'span 1', 'span 0'], ['span 0'], ['span 2', 'span 0'], ['span 0']],
    selected: {
      columns: {
        step: 'text',
        latency_ms: 'float64',
        'llm.token_count.prompt': 'float64',
        start_time: 'datetime64[ns, UTC]',
      },
      levels: ['context.span_id'],
      index: ['span 2', 'span 0'],
      rows: [
        ['step 2', 1500, 7, '2026-01-02T03:04:07.123456Z'],
        ['step 0', 1500, null, '2026-01-02T03:04:05.123456Z'],
      ],
    },
    exploded: {
      columns: { text: 'text', score: 'float64' },
      levels: ['context.span_id', 'document_position'],
      index: [
        ['span 1', 0],
        ['span 1', 1],
      ],
      rows: [
        ['first', 0.5],
        ['second', 1],
      ],
    },
    joined: {
      columns: { text: 'text' },
      levels: ['context.trace_id'],
      index: ['trace 1'],
      rows: [['first\n\nsecond']],
    },
    counts: [2, 1, 1, 0],
    status: 422,
    documents: ['first', 'second'],
    context: ['first\n\nsecond'],
    'arrow exploded': {
      columns: { 'document.content': 'text', 'document.score': 'float64', 'document.metadata.page': 'float64' },
      levels: ['context.span_id', 'document_position'],
      index: [
        ['span 1', 0],
        ['span 1', 1],
      ],
      rows: [
        ['first', 0.5, 1],
        ['second', 1, null],
      ],
    },
    session: ['chat', true],
    turns: [['question', 'answer']],
    traces: ['trace 1'],
  });
  expectWhole(whole);
  expect(arrow).toEqual(without(whole, ['events', 'attributes.retrieval.documents']));
  expect(server.complaints).toEqual([]);
});

it.skipIf(python.program === null)(`the Python client makes, describes and deletes projects${why}`, async () => {
  await using server = await startTestServer();
  const { stdout } = await run([join(import.meta.dirname, 'projects.py'), server.url]);
  expect(JSON.parse(stdout)).toEqual({
    made: ['by Python 50%', 'one'],
    found: true,
    changed: 'two',
    listed: ['by Python 50%', 'default'],
    again: 409,
    default: 403,
    gone: 404,
  });
});

it.skipIf(python.program === null)(`the Python client is refused without a key${why}`, async () => {
  await using server = await startAskingServer();
  await expect(run([SCRIPT, server.url])).rejects.toThrow('401 Unauthorized');
});

describe("Phoenix's OpenTelemetry package of Python", () => {
  it.skipIf(python.program === null)(`sends spans with a key over HTTP and gRPC, and none without${why}`, async () => {
    await using server = await startAskingServer();
    const ways = [
      ['http/protobuf', `${server.url}/v1/traces`],
      ['grpc', `http://${server.grpcAddress}`],
    ] as const;
    const script = join(import.meta.dirname, 'traces.py');
    await Promise.all(
      ways.map(async ([protocol, endpoint]) => {
        const project = `by ${protocol.replace('/', ' ')}`;
        await run([script, endpoint, protocol, project], { PHOENIX_API_KEY: server.key });
        await run([script, endpoint, protocol, `${project}, without a key`]);
        const { data } = await getJson<{ data: unknown[] }>(
          `${server.url}/v1/projects/${encodeURIComponent(project)}/spans`,
          server.admin,
        );
        expect(data).toMatchObject([{ name: 'ask', attributes: { 'input.value': 'Where is my parcel?' } }]);
      }),
    );
    const { data } = await getJson<{ data: { name: string }[] }>(`${server.url}/v1/projects`, server.admin);
    expect(data.map(({ name }) => name).toSorted()).toEqual(['by grpc', 'by http protobuf', 'default']);
  });
});

function run(parameters: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { PHOENIX_API_KEY: _, ...outer } = process.env;
  return promisify(execFile)(python.program ?? '', parameters, { env: { ...outer, ...environment } });
}

function expectWhole({ columns, levels, index, rows }: Table): void {
  expect({ levels, index }).toEqual({ levels: ['context.span_id'], index: ['span 2', 'span 1', 'span 0'] });
  const byName = rows.map((row) => Object.fromEntries(Object.keys(columns).map((name, place) => [name, row[place]])));
  expect(byName[0]).toMatchObject({
    name: 'step 2',
    span_kind: 'LLM',
    parent_id: 'span 0',
    start_time: '2026-01-02T03:04:07.123456Z',
    end_time: '2026-01-02T03:04:08.623456Z',
    status_code: 'OK',
    events: [],
    'context.span_id': 'span 2',
    'context.trace_id': 'trace 1',
    'attributes.llm.model_name': 'gpt',
    'attributes.llm.token_count.prompt': 7,
    'attributes.custom': { 'a.b': 1.5 },
    'attributes.retrieval.documents': null,
  });
  expect(byName[1]?.['attributes.retrieval.documents']).toEqual([
    { 'document.content': 'first', 'document.score': 0.5, 'document.metadata': { page: 1 } },
    { 'document.content': 'second', 'document.score': 1 },
  ]);
  expect(byName[2]).toMatchObject({ parent_id: null, 'attributes.metadata': { n: 1 }, 'attributes.flag': true });
}

function without(table: Table, names: readonly string[]): Table {
  const places = Object.keys(table.columns).flatMap((name, place) => (names.includes(name) ? [] : [place]));
  const columns = Object.fromEntries(Object.entries(table.columns).filter(([name]) => !names.includes(name)));
  return { ...table, columns, rows: table.rows.map((row) => places.map((place) => row[place])) };
}
