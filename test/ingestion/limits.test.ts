/** Too large, too many, no room: what is refused, and what a sender may try again. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtobufWriter } from '#otlp/protobuf/writer';
import {
  callFailingExport,
  ENCODINGS,
  encodeRequest,
  encodeSpan,
  exportAll,
  exportTraces,
  postBody,
  readStatus,
  requestAround,
} from '../harness/otlp-client.ts';
import { otlpSpan, requestOf, spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlySpan, getOriginal, readIngestCounters, listSpans } from '../harness/telemetry.ts';
import { decodeWithOracle } from '../oracle/otlp.ts';

const LIMIT = 1_048_576;

let server: TestServer;
let limited: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  limited = await startTestServer({ OTLP_MAX_BYTES: String(LIMIT) });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
});

describe.each(ENCODINGS)('with SERVICE_OTLP_MAX_BYTES, a body in %s', (encoding) => {
  const BOMB = Buffer.alloc(20_000_000, ' ');
  const inChunks = (size: number) => new Blob([BOMB.subarray(0, size)]).stream();
  const bodies: readonly [string, Record<string, string>, () => Uint8Array<ArrayBuffer> | ReadableStream][] = [
    ['is announced larger than the limit', {}, () => new Uint8Array(LIMIT + 1)],
    ['comes in chunks and grows larger than the limit', {}, () => inChunks(LIMIT + 1)],
    ['inflates from gzip', { 'content-encoding': 'gzip' }, () => new Uint8Array(zlib.gzipSync(BOMB))],
    ['inflates from deflate', { 'content-encoding': 'deflate' }, () => new Uint8Array(zlib.deflateSync(BOMB))],
    [
      'inflates from br',
      { 'content-encoding': 'br' },
      () => new Uint8Array(zlib.brotliCompressSync(BOMB, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } })),
    ],
    ['inflates from zstd', { 'content-encoding': 'zstd' }, () => new Uint8Array(zlib.zstdCompressSync(BOMB))],
    ['inflates twice', { 'content-encoding': 'gzip, gzip' }, () => new Uint8Array(zlib.gzipSync(zlib.gzipSync(BOMB)))],
  ];

  it.each(bodies)(
    'that %s is answered 413 in its own encoding, not to be tried again',
    async (_name, headers, body) => {
      const answer = await postBody(limited.url, body(), { 'content-type': encoding, ...headers });
      expect(answer.status).toBe(413);
      expect(answer.headers.get('content-type')).toBe(encoding);
      expect(answer.headers.get('retry-after')).toBeNull();
      expect(readStatus(answer.bytes, encoding === 'application/json')).toMatchObject({
        code: 8,
        message: expect.stringContaining('1048576 bytes'),
      });
    },
  );

  it('that is exactly as large as the limit is stored', async () => {
    const id = traceId(1 + ENCODINGS.indexOf(encoding));
    const request = (name: string) => encodeRequest(encoding, traceRequest([{ traceId: id, spanId: spanId(1), name }]));
    // Lengths are varints, which are as long for all names of this magnitude.
    const name = 'x'.repeat(LIMIT - request('x'.repeat(LIMIT - 4096)).length + LIMIT - 4096);
    const body = request(name);
    expect(body.length).toBe(LIMIT);
    const compressed = new Uint8Array(zlib.gzipSync(body));
    expect((await postBody(limited.url, body, { 'content-type': encoding })).status).toBe(200);
    expect(
      (await postBody(limited.url, compressed, { 'content-type': encoding, 'content-encoding': 'gzip' })).status,
    ).toBe(200);
    expect((await getOnlySpan(limited.url, id)).name).toBe(name);
  });
});

describe('a request of more than it may hold', () => {
  it.each<[string, (typeof ENCODINGS)[number], number, () => Uint8Array<ArrayBuffer>]>([
    ['broken spans', 'application/x-protobuf', 413, () => requestAround(Array(11_000).fill(Buffer.of(0x0f)))],
    [
      'broken spans',
      'application/json',
      400,
      () => encodeRequest('application/json', requestOf(Array(11_000).fill({ name: 7 }))),
    ],
    [
      'objects and lists',
      'application/json',
      413,
      () => new Uint8Array(Buffer.from(`{"x":[${'[],'.repeat(4_000_000)}[]]}`)),
    ],
  ])('%s in %s is answered %i as a whole', async (_name, encoding, httpStatus, body) => {
    const answer = await postBody(server.url, body(), { 'content-type': encoding });
    expect(answer.status).toBe(httpStatus);
    expect(answer.headers.get('content-type')).toBe(encoding);
  });

  it('broken spans within the limit are rejected one by one', async () => {
    const answer = await postBody(server.url, requestAround(Array(9000).fill(Buffer.of(0x0f))), {
      'content-type': 'application/x-protobuf',
    });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 9000 });
  });

  it('a span of more values than can be read again is rejected alone, small as it is', async () => {
    const values = new ProtobufWriter();
    values.message(9, () => values.message(2, () => values.bytes(5, Buffer.alloc(8_400_000, Buffer.of(0x0a, 0)))));
    const heavy = Buffer.concat([encodeSpan(otlpSpan({ traceId: traceId(7), spanId: spanId(2) })), values.finish()]);
    const body = requestAround([encodeSpan(otlpSpan({ traceId: traceId(7), spanId: spanId(1) })), heavy]);
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    const answer = await postBody(server.url, zlib.gzipSync(body), headers);
    expect(answer).toMatchObject({
      status: 200,
      rejectedSpans: 1,
      message: expect.stringContaining('too many values'),
    });
    expect(await listSpans(server.url, 'default', `trace_id=${traceId(7)}`)).toHaveLength(1);
  });
});

describe('a server whose buffer is full', () => {
  it('answers 503 with Retry-After, by gRPC UNAVAILABLE with RetryInfo, and takes the same again when there is room', async () => {
    const idle = await announceBody(server.url, 64 * 1024 * 1024);
    const request = traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]);
    const [overHttp, inJson, overGrpc] = await Promise.all([
      exportTraces(server.url, request),
      exportTraces(server.url, request, { encoding: 'application/json' }),
      callFailingExport(server.grpcAddress, encodeRequest('application/x-protobuf', request)),
    ]);
    for (const answer of [overHttp, inJson]) {
      expect(answer).toMatchObject({ status: 503, message: expect.stringContaining('Try again later') });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(JSON.parse(Buffer.from(inJson.bytes).toString())).toMatchObject({
      code: 14,
      details: [{ retryDelay: '1s' }],
    });
    expect(overGrpc.code).toBe(status.UNAVAILABLE);
    const [details] = overGrpc.metadata.get('grpc-status-details-bin');
    expect(decodeWithOracle('RpcStatus', details as Buffer)).toMatchObject({
      details: [{ typeUrl: 'type.googleapis.com/google.rpc.RetryInfo' }],
    });
    expect(await findTrace(server.url, traceId(1))).toBeUndefined();
    idle.destroy();
    await exportAll(server.url, request);
    expect(await findTrace(server.url, traceId(1))).toMatchObject({ trace_id: traceId(1) });
  });
});

describe('a server whose storage is full', () => {
  it('answers 503 with Retry-After, because exporters drop what is answered 507', async () => {
    await using full = await startTestServer({
      DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '0.000001',
      DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: '50',
    });
    const answer = await exportTraces(full.url, traceRequest([{ spanId: spanId(1) }]));
    expect(answer).toMatchObject({
      status: 503,
      message: expect.stringContaining('SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES'),
    });
    expect(answer.headers.get('retry-after')).toBe('30');
    expect((await readIngestCounters(full.url)).get('outcome=stored') ?? 0).toBe(0);
  });

  it('answers 507 to annotations, notes and other changes, and still reads and deletes', async () => {
    await using full = await startTestServer({
      DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '0.000001',
      DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: '50',
    });
    const ask = async (method: string, path: string, body?: object) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(full.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
      return [response.status, await response.text()] as const;
    };
    const refused = [507, expect.stringContaining('SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES')];
    const said = { name: 'quality', annotator_kind: 'HUMAN', result: { score: 1 } };
    for (const sync of [true, false]) {
      const data = [{ ...said, span_id: spanId(1) }];
      expect(await ask('POST', `/v1/span_annotations?sync=${sync}`, { data })).toEqual(refused);
    }
    expect(await ask('POST', '/v1/trace_notes', { data: { trace_id: traceId(1), note: 'why' } })).toEqual(refused);
    expect(await ask('POST', '/v1/projects', { name: 'new' })).toEqual(refused);
    const query = `mutation { createSpanAnnotations(input: [{ spanId: "${btoa('Span:1')}", name: "a", annotatorKind: HUMAN,
      label: "x", source: API, metadata: {} }]) { __typename } }`;
    const [, answer] = await ask('POST', '/graphql', { query });
    expect(answer).toContain('SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES');
    expect((await ask('GET', '/v1/projects'))[0]).toBe(200);
    expect((await ask('DELETE', '/v1/projects/default/span_annotations?delete_all=true'))[0]).toBe(204);
  });
});

describe('a span with a million attributes', () => {
  it('is kept to the byte, and its neighbours are listed as ever', async () => {
    const span = encodeWideSpan(traceId(2), 1_000_000);
    const spans = [span, encodeSpan(otlpSpan({ traceId: traceId(3), spanId: spanId(1) }))];
    const answer = await postBody(server.url, requestAround(spans), { 'content-type': 'application/x-protobuf' });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0 });
    expect(Buffer.compare(await getOriginal(server.url, 'traces', traceId(2)), requestAround([span]))).toBe(0);
    expect(await listSpans(server.url, 'default', `trace_id=${traceId(3)}`)).toHaveLength(1);
    expect(await findTrace(server.url, traceId(2))).toMatchObject({ spans: [{ span_id: spanId(1) }] });
  });
});

/** Opens a request that says how long its body will be, and sends nothing of it. Returns when the server waits for it. */
async function announceBody(url: string, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    'POST /v1/traces HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Content-Type: application/x-protobuf',
    `Content-Length: ${bytes}`,
    '',
    '',
  ];
  socket.write(head.join('\r\n'));
  // Room is taken as a body arrives, so all of it but the end is sent.
  socket.write(Buffer.alloc(bytes - 1));
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (metrics.includes(`cairn_memory_taken_bytes{purpose="bodies"} ${bytes}`)) return socket;
  }
}

function encodeWideSpan(id: string, count: number): Uint8Array {
  const writer = new ProtobufWriter(20 * count);
  for (let index = count - 1; index >= 0; index--) {
    writer.message(9, () => {
      writer.message(2, () => writer.uint32(3, 1));
      writer.text(1, `k${index}`);
    });
  }
  writer.bytes(2, Buffer.from(spanId(1), 'hex'));
  writer.bytes(1, Buffer.from(id, 'hex'));
  return writer.finish();
}
