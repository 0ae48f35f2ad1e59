/** Log records: how they are taken, what becomes of them, and what they tell of their spans. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callExport,
  ENCODINGS,
  type Encoding,
  encodeRequest,
  exportAll,
  exportLogs,
  postBody,
  readStatus,
} from '../harness/otlp-client.ts';
import {
  logsRequest,
  logsRequestOf,
  otlpLogRecord,
  spanId,
  type TestLogRecord,
  traceId,
  traceRequest,
} from '../harness/otlp-json.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlySpan, listSessions, readIngestCounters } from '../harness/telemetry.ts';

let server: TestServer;
let lastTrace = 0;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

/** A model call whose content is in log records alone. */
function callWithoutContent() {
  const ids = { traceId: traceId(++lastTrace), spanId: spanId(1) };
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
  return { ids, request: traceRequest([{ ...ids, attributes }]) };
}

/** What was asked and what was answered, in the form of the semantic conventions since 1.27. */
function conversation(ids: Pick<TestLogRecord, 'traceId' | 'spanId'>): readonly TestLogRecord[] {
  const message = { role: 'assistant', content: 'Paris.' };
  return [
    { ...ids, eventName: 'gen_ai.user.message', body: { content: 'The capital of France?' } },
    { ...ids, eventName: 'gen_ai.choice', body: { index: 0, finish_reason: 'stop', message } },
  ];
}

async function expectConversation(id: string, project = 'default'): Promise<void> {
  const { attributes } = await getOnlySpan(server.url, id, project);
  expect(attributes).toMatchObject({
    'llm.input_messages.0.message.content': 'The capital of France?',
    'llm.output_messages.0.message.content': 'Paris.',
  });
}

describe.each(ENCODINGS)('log records in %s', (encoding) => {
  it.each(['before', 'after'])('tell what was said when they come %s their span', async (when) => {
    const { ids, request } = callWithoutContent();
    const logs = logsRequest(conversation(ids));
    if (when === 'after') await exportAll(server.url, request);
    const answer = await exportLogs(server.url, logs, { encoding });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0, message: '' });
    expect(answer.headers.get('content-type')).toBe(encoding);
    expect(Buffer.from(answer.bytes).toString()).toBe(encoding === 'application/json' ? '{}' : '');
    if (when === 'before') await exportAll(server.url, request);
    await expectConversation(ids.traceId);
  });

  it('with one that is broken are stored without it, and it is counted', async () => {
    const { ids, request } = callWithoutContent();
    await exportAll(server.url, request);
    const body = encodeLogs(encoding, [...conversation(ids), { ...ids, eventName: 'to be broken' }]);
    breakEventName(body, encoding);
    const answer = await postBody(server.url, body, { 'content-type': encoding }, 'logs');
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 1 });
    expect(answer.message).toMatch(/^1 of 3 log records were not stored \(1 malformed\)/);
    await expectConversation(ids.traceId);
  });

  it('are answered 400 with a google.rpc.Status when they cannot be decoded', async () => {
    const body = new Uint8Array(Buffer.from(encoding === 'application/json' ? '{' : '\x0a\x7fcut off'));
    const answer = await postBody(server.url, body, { 'content-type': encoding }, 'logs');
    expect(answer.status).toBe(400);
    expect(readStatus(answer.bytes, encoding === 'application/json').code).toBe(3);
  });
});

describe('log records', () => {
  it('come over gRPC as well', async () => {
    const { ids, request } = callWithoutContent();
    const message = encodeLogs('application/x-protobuf', conversation(ids));
    await callExport(server.grpcAddress, message, { service: 'logs.v1.LogsService' });
    await exportAll(server.url, request);
    await expectConversation(ids.traceId);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('come compressed with %s', async (contentEncoding, compress) => {
    const { ids, request } = callWithoutContent();
    const body = new Uint8Array(compress(encodeLogs('application/x-protobuf', conversation(ids))));
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': contentEncoding };
    expect(await postBody(server.url, body, headers, 'logs')).toMatchObject({ status: 200, rejectedSpans: 0 });
    await exportAll(server.url, request);
    await expectConversation(ids.traceId);
  });

  it('are bounded while they inflate', async () => {
    await using small = await startTestServer({ OTLP_MAX_BYTES: '10000' });
    const body = new Uint8Array(gzipSync(Buffer.alloc(1_000_000)));
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    expect((await postBody(small.url, body, headers, 'logs')).status).toBe(413);
  });

  it('of a trace go to its project, whatever they name themselves', async () => {
    const { ids, request } = callWithoutContent();
    await exportAll(server.url, request, { 'x-project-name': 'of the trace' });
    await exportLogs(server.url, logsRequest(conversation(ids)), { headers: { 'x-project-name': 'of the log' } });
    await expectConversation(ids.traceId, 'of the trace');
  });

  it('without a span id find the only span that can be meant', async () => {
    const { ids } = callWithoutContent();
    const source = { 'service.name': 'streamer' };
    const attributes = { 'gen_ai.operation.name': 'chat' };
    await exportAll(server.url, traceRequest([{ ...ids, startUs: 1000, endUs: 2000, attributes }], source));
    const records = conversation({}).map((record) => ({ ...record, timeUs: 1500 }));
    await exportLogs(server.url, logsRequest(records, { resource: source }));
    await expectConversation(ids.traceId);
  });

  it('that tell the session and the tokens change the sums of trace and session', async () => {
    const { ids, request } = callWithoutContent();
    await exportAll(server.url, request, { 'x-project-name': 'sums' });
    const details = {
      'gen_ai.conversation.id': 'told later',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 5,
    };
    const record = { ...ids, eventName: 'gen_ai.client.inference.operation.details', attributes: details };
    await exportLogs(server.url, logsRequest([record]));
    expect(await findTrace(server.url, ids.traceId, 'sums')).toMatchObject({
      token_count_prompt: 7,
      token_count_completion: 5,
    });
    expect(await listSessions(server.url, 'sums')).toMatchObject([
      { session_id: 'told later', token_count_prompt: 7, traces: [{ trace_id: ids.traceId }] },
    ]);
  });

  it('more than a commit takes are stored in parts', async () => {
    const { ids, request } = callWithoutContent();
    await exportAll(server.url, request);
    const rest = Array.from({ length: 2500 }, (_, place) => ({
      ...ids,
      spanId: spanId(place + 2),
      eventName: 'gen_ai.choice',
      attributes: { place },
    }));
    const answer = await exportLogs(server.url, logsRequest([...rest, ...conversation(ids)]));
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0 });
    await expectConversation(ids.traceId);
  });
});

describe('the originals of log records', () => {
  it('come back to the byte, with resource and scope, of the trace and of the span', async () => {
    const { ids, request } = callWithoutContent();
    await exportAll(server.url, request);
    const source = { resource: { 'service.name': 'a', list: [1, 'two', null] }, scope: 'instrumentation' };
    const body = encodeRequest(
      'application/x-protobuf',
      logsRequest([...conversation(ids), { traceId: ids.traceId, body: 'a line without a span' }], source),
      'ExportLogsServiceRequest',
    );
    await postBody(server.url, body, { 'content-type': 'application/x-protobuf' }, 'logs');
    const ofTrace = await fetch(`${server.url}/v1/traces/${ids.traceId}/logs/original`);
    expect(Buffer.from(await ofTrace.arrayBuffer())).toEqual(Buffer.from(body));
    const span = await getOnlySpan(server.url, ids.traceId);
    const ofSpan = await getJson<ExportedLogs>(`${server.url}/v1/spans/${span.id}/logs/original?format=json`);
    expect(namesOf(ofSpan)).toEqual(['gen_ai.user.message', 'gen_ai.choice']);
    expect(ofSpan.resourceLogs[0]?.scopeLogs[0]?.scope.name).toBe('instrumentation');
    expect((await fetch(`${server.url}/v1/traces/${traceId(999_999)}/logs/original`)).status).toBe(404);
  });

  it('of those without a span come from their project, page by page', async () => {
    const headers = { 'x-project-name': 'unattached' };
    for (const place of [1, 2, 3]) {
      const records = [{ eventName: `gen_ai.event.${place}`, timeUs: place }];
      await exportLogs(server.url, logsRequest(records), { headers });
    }
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const url = `${server.url}/v1/projects/unattached/logs/original?format=json&limit=2${after}`;
      const response = await fetch(url);
      names.push(...namesOf((await response.json()) as ExportedLogs));
      cursor = response.headers.get('x-next-cursor');
    }
    expect(names).toEqual(['gen_ai.event.3', 'gen_ai.event.2', 'gen_ai.event.1']);
    expect((await fetch(`${server.url}/v1/projects/unattached/logs/original?cursor=x`)).status).toBe(422);
  });
});

describe('pages', () => {
  const RECORD = 'eventName severity timestamp body attributes traceId spanId instrumentationScope { name }';

  it('have the log records of a span, and those of its trace that belong to none', async () => {
    const { ids, request } = callWithoutContent();
    await exportAll(server.url, request);
    const alone = {
      ...otlpLogRecord({ traceId: ids.traceId, spanId: spanId(9), body: ['a', 1], attributes: { n: 2n ** 60n } }),
    };
    const records = [...conversation(ids).map(otlpLogRecord), { ...alone, severityText: 'WARN' }];
    await exportLogs(server.url, logsRequestOf(records));
    const query = `query ($id: String!) { getTraceByOtelId(traceId: $id) {
      numUnattachedLogRecords
      unattachedLogRecords(first: 5) { edges { node { id ${RECORD} } } pageInfo { hasNextPage } }
      rootSpan { logRecords(first: 1) { edges { node { ${RECORD} } } pageInfo { hasNextPage endCursor } } }
    } }`;
    const { getTraceByOtelId: trace } = await queryGraphql<{ getTraceByOtelId: LoggedTrace }>(server.url, query, {
      id: ids.traceId,
    });
    expect(trace.numUnattachedLogRecords).toBe(1);
    expect(trace.unattachedLogRecords).toMatchObject({
      edges: [
        {
          node: {
            eventName: null,
            severity: 'WARN',
            body: '["a",1]',
            attributes: '{"n":"1152921504606846976"}',
            traceId: ids.traceId,
            spanId: spanId(9),
            instrumentationScope: { name: 'test' },
          },
        },
      ],
      pageInfo: { hasNextPage: false },
    });
    const { edges, pageInfo } = trace.rootSpan.logRecords;
    expect(edges.map(({ node }) => node.eventName)).toEqual(['gen_ai.user.message']);
    expect(pageInfo.hasNextPage).toBe(true);
    const rest = `query ($id: String!, $after: String) { getTraceByOtelId(traceId: $id) {
      rootSpan { logRecords(first: 1, after: $after) { edges { node { eventName } } pageInfo { hasNextPage } } }
    } }`;
    const next = await queryGraphql<{ getTraceByOtelId: LoggedTrace }>(server.url, rest, {
      id: ids.traceId,
      after: pageInfo.endCursor,
    });
    expect(next.getTraceByOtelId.rootSpan.logRecords).toMatchObject({
      edges: [{ node: { eventName: 'gen_ai.choice' } }],
      pageInfo: { hasNextPage: false },
    });
  });

  it('have the log records of a project that belong to no span', async () => {
    const query =
      '{ projects { edges { node { name id unattachedLogRecords(first: 1) { edges { node { body } } } } } } }';
    await exportLogs(server.url, logsRequest([{ eventName: 'gen_ai.choice', body: 'alone', timeUs: 3 }]), {
      headers: { 'x-project-name': 'watched' },
    });
    const { projects } = await queryGraphql<{ projects: { edges: { node: { name: string } }[] } }>(server.url, query);
    expect(projects.edges.find(({ node }) => node.name === 'watched')).toMatchObject({
      node: { unattachedLogRecords: { edges: [{ node: { body: 'alone' } }] } },
    });
  });
});

interface LoggedTrace {
  readonly numUnattachedLogRecords: number;
  readonly unattachedLogRecords: LogList;
  readonly rootSpan: { readonly logRecords: LogList };
}

interface LogList {
  readonly edges: readonly { readonly node: { readonly eventName: string | null } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

interface ExportedLogs {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly scope: { readonly name: string };
      readonly logRecords: readonly { readonly eventName: string }[];
    }[];
  }[];
}

function namesOf({ resourceLogs = [] }: Partial<ExportedLogs>): string[] {
  return resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords.map(({ eventName }) => eventName)),
  );
}

describe('what becomes of log records and data points', () => {
  it('is counted, and what nobody would look for is not kept', async () => {
    await using own = await startTestServer();
    const ids = { traceId: traceId(1), spanId: spanId(1) };
    const plain = { body: 'GET / 200', attributes: { 'code.line.number': 12 } };
    const good = logsRequest([...conversation(ids), { ...plain, ...ids }, plain, { ...plain, timeUs: 5 }]);
    expect(await exportLogs(own.url, good)).toMatchObject({ status: 200, rejectedSpans: 0, message: '' });
    expect(await exportLogs(own.url, good, { encoding: 'application/json' })).toMatchObject({ status: 200 });
    const late = { ...otlpLogRecord({ eventName: 'gen_ai.choice' }), timeUnixNano: '18446744073709551615' };
    expect((await exportLogs(own.url, logsRequestOf([late]))).rejectedSpans).toBe(1);

    const points = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: [{}, {}, {}] } }] }] }] };
    const body = new Uint8Array(Buffer.from(JSON.stringify(points)));
    const answer = await postBody(own.url, body, { 'content-type': 'application/json' }, 'metrics');
    expect([answer.status, Buffer.from(answer.bytes).toString()]).toEqual([200, '{}']);
    const service = 'metrics.v1.MetricsService';
    expect(await callExport(own.grpcAddress, new Uint8Array(0), { service })).toMatchObject({ rejectedSpans: 0 });

    expect(Object.fromEntries(await readIngestCounters(own.url, 'log_records'))).toEqual({
      'outcome=stored': 3,
      'outcome=duplicate': 3,
      'outcome=dropped': 4,
      'outcome=rejected,reason=time_out_of_range': 1,
    });
    expect(Object.fromEntries(await readIngestCounters(own.url, 'data_points'))).toEqual({ 'outcome=dropped': 3 });
    expect(await readLedger(own)).toEqual([
      ['', 'logs', 'dropped', 'no_trace', 4],
      ['', 'logs', 'rejected', 'time_out_of_range', 1],
      ['', 'metrics', 'dropped', 'not_kept', 3],
      ['default', 'logs', 'duplicate', '', 3],
      ['default', 'logs', 'stored', '', 3],
    ]);
  });
});

function encodeLogs(encoding: Encoding, records: readonly TestLogRecord[]): Uint8Array<ArrayBuffer> {
  return encodeRequest(encoding, logsRequest(records), 'ExportLogsServiceRequest');
}

/** Makes a text no valid one: another wire type in protobuf, a number in JSON. */
function breakEventName(body: Uint8Array, encoding: Encoding): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (encoding === 'application/json') bytes.write('12345678901234', bytes.indexOf('"to be broken"'));
  else bytes[bytes.indexOf('to be broken') - 2] = 0x2f;
}

/** The ledger by project, summed over hours. */
async function readLedger({ data }: TestServer): Promise<unknown[][]> {
  const rows = await data.rows(
    `SELECT coalesce(name, '') AS project, signal, outcome, reason, sum(item_count) AS items
     FROM ingest_ledger LEFT JOIN projects ON projects.id = project_id
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
  return rows.map((row) => Object.values(row));
}
