import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { AppError } from '#base/errors';
import { MAX_SPAN_LIST_BYTES, prepareSpanList } from '#ingest/span-list/prepare';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { createSpansRoute } from '#resources/spans/rest/create-spans';
import type { ProjectRef, ProjectStore } from '#store/projects/port';
import type { SpanStore } from '#store/spans/port';
import { RecordingReceiver } from './recording-receiver.ts';
import { createSpanIntake } from './span-intake.ts';

const PATH = '/v1/projects/demo/spans';

const SPAN = {
  name: 'answer',
  context: { trace_id: 'trace', span_id: 'new' },
  span_kind: 'LLM',
  start_time: '2026-01-02T03:04:05Z',
  end_time: '2026-01-02T03:04:06Z',
  status_code: 'OK',
};

const projects = {
  findProject: async (ref: ProjectRef) =>
    'rowId' in ref && ref.rowId === 1 ? { rowId: 1, name: 'by id', description: null } : undefined,
} as unknown as ProjectStore;

const spans = {
  findStoredSpanIds: async (spanIds: readonly string[]) => new Set(spanIds.filter((spanId) => spanId === 'stored')),
} as unknown as SpanStore;

let app: FastifyInstance | undefined;

afterEach(async () => {
  app?.server.closeAllConnections();
  await app?.close();
  app = undefined;
});

function serve(receiver: RecordingReceiver): FastifyInstance {
  const prepare = async (body: Uint8Array<ArrayBuffer>, encoding: string) => prepareSpanList(body, encoding);
  app = appOf([
    createSpansRoute(
      () => projects,
      () => spans,
      createSpanIntake({ receiver: () => receiver, maxBytes: MAX_SPAN_LIST_BYTES, prepare }),
    ),
  ]);
  return app;
}

function post(url: string, body: unknown, headers: Record<string, string> = {}, receiver = new RecordingReceiver()) {
  const payload = Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const sent = { 'content-type': 'application/json', ...headers };
  return serve(receiver).inject({ method: 'POST', url, payload, headers: sent });
}

describe('creating spans', () => {
  it('stores them as an export of the project, and gives their room back', async () => {
    const receiver = new RecordingReceiver();
    const body = gzipSync(JSON.stringify({ data: [SPAN] }));
    const answer = await post(PATH, body, { 'content-encoding': 'gzip' }, receiver);
    expect([answer.statusCode, answer.json()]).toEqual([202, { total_received: 1, total_queued: 1 }]);
    const [received] = receiver.received;
    expect(received).toMatchObject({ signal: 'traces', format: 'protobuf', contentEncoding: '', projectName: 'demo' });
    const { resourceSpans } = decodeExportTraceRequest(received?.body ?? new Uint8Array(0));
    expect(resourceSpans[0]?.scopeSpans[0]?.spans).toMatchObject([{ name: 'answer' }]);
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('takes a project by its id where there is one, and any name', async () => {
    const receiver = new RecordingReceiver();
    await post(`/v1/projects/${btoa('Project:1')}/spans`, { data: [SPAN] }, {}, receiver);
    expect(receiver.received[0]?.projectName).toBe('by id');
    const missing = await post(`/v1/projects/${encodeURIComponent(btoa('Project:2'))}/spans`, { data: [SPAN] });
    expect(missing.statusCode).toBe(404);
    expect(missing.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('stores nothing of an empty list, and says so', async () => {
    const receiver = new RecordingReceiver();
    const answer = await post(PATH, { data: [] }, {}, receiver);
    expect([answer.statusCode, answer.json()]).toEqual([202, { total_received: 0, total_queued: 0 }]);
    expect(receiver.received).toEqual([]);
  });

  it('refuses all where one is stored already or invalid, as JSON', async () => {
    const receiver = new RecordingReceiver();
    const stored = { ...SPAN, context: { trace_id: 'any', span_id: 'stored' } };
    const invalid = { ...SPAN, context: { trace_id: '', span_id: 'x' } };
    const answer = await post(PATH, { data: [SPAN, stored, invalid] }, {}, receiver);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'application/json']);
    expect(answer.json()).toEqual({
      error: 'Some spans are invalid, already stored or in the list twice, so none was stored.',
      total_received: 3,
      total_queued: 0,
      total_duplicates: 1,
      total_invalid: 1,
      duplicate_spans: [{ span_id: 'stored', trace_id: 'any' }],
      invalid_spans: [{ span_id: 'x', trace_id: '', error: 'The trace id is missing.' }],
    });
    expect(receiver.received).toEqual([]);
  });

  it('refuses all where a span id is in the list twice, whatever the trace, and names what comes later', async () => {
    const receiver = new RecordingReceiver();
    const elsewhere = { ...SPAN, context: { ...SPAN.context, trace_id: 'another' } };
    const other = { ...SPAN, context: { ...SPAN.context, span_id: 'other' } };
    const answer = await post(PATH, { data: [SPAN, other, elsewhere, SPAN] }, {}, receiver);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      {
        total_queued: 0,
        total_duplicates: 2,
        duplicate_spans: [
          { span_id: 'new', trace_id: 'another' },
          { span_id: 'new', trace_id: 'trace' },
        ],
      },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it('tells of what storage refused', async () => {
    const receiver = new RecordingReceiver();
    receiver.answer = () => ({ rejectedCount: 1, errorMessage: '1 of 2 spans were not stored.' });
    const other = { ...SPAN, context: { ...SPAN.context, span_id: 'other' } };
    const answer = await post(PATH, { data: [SPAN, other] }, {}, receiver);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: '1 of 2 spans were not stored.', total_received: 2, total_queued: 1, total_invalid: 1 },
    ]);
  });

  it('says where the form is wrong', async () => {
    const answer = await post(PATH, { data: [SPAN, { ...SPAN, start_time: '2026-01-02T03:04:05' }] });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([422, 'application/json']);
    expect(answer.json()).toMatchObject({ detail: [{ loc: ['body', 'data', 1] }] });
    expect((await post(PATH, Buffer.from('{"data":'))).json()).toMatchObject({ detail: [{ type: 'json_invalid' }] });
  });

  it('takes JSON only, in encodings that are known', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'lzma' }]) {
      expect((await post(PATH, { data: [SPAN] }, headers)).statusCode).toBe(415);
    }
    const charset = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post(PATH, { data: [SPAN] }, charset)).statusCode).toBe(202);
  });

  it('answers 503 while there is no room, or where the export finds none', async () => {
    const receiver = new RecordingReceiver({ budgetBytes: 1000, waitMs: 1 });
    using held = await receiver.reserve(1000);
    const full = await post(PATH, { data: [SPAN] }, {}, receiver);
    expect([full.statusCode, full.headers['retry-after'], full.body]).toEqual([
      503,
      '1',
      'The server is at capacity. Try again later.',
    ]);
    held[Symbol.dispose]();
    receiver.answer = () => {
      throw new AppError('insufficient_storage', 'The data holds too much.');
    };
    expect((await post(PATH, { data: [SPAN] }, {}, receiver)).statusCode).toBe(507);
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('refuses a body that is too large before it is sent', async () => {
    const server = serve(new RecordingReceiver());
    await server.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    const answers: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => answers.push(text));
    const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: `;
    socket.write(`${head}${64 * 1024 * 1024}\r\n\r\n`);
    await once(socket, 'data');
    expect(answers.join('')).toContain('413 Payload Too Large');
    socket.destroy();
  });
});
