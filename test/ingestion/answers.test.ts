/** What an exporter over HTTP is answered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtobufWriter } from '#otlp/protobuf/writer';
import {
  ENCODINGS,
  encodeRequest,
  encodeSpan,
  exportTraces,
  postBody,
  readStatus,
  requestAround,
} from '../harness/otlp-client.ts';
import { otlpSpan, requestOf, spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { getOnlySpan, listSpans } from '../harness/telemetry.ts';

let server: TestServer;
let lastTrace = 100;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

describe.each(['traces', 'logs', 'metrics'] as const)('a request of %s in protobuf', (signal) => {
  const text = (characters: string) => new Uint8Array(Buffer.from(characters, 'latin1'));

  it.each([
    ['is JSON', text('{"resourceSpans":[]}'), 'application/json'],
    ['is a field that is not known', text('\x7a\x03abc'), 'none of its fields is known'],
    ['has nothing that is known in its resource', text('\x0a\x05\x7a\x03abc'), 'none of its fields is known'],
    ['is a line of text', text('\nABCDEFGHIJ'), 'Not valid protobuf'],
  ])('is answered 400 with the reason where its body %s', async (_what, body, reason) => {
    const answer = await postBody(server.url, body, { 'content-type': 'application/x-protobuf' }, signal);
    expect(answer.status).toBe(400);
    expect(readStatus(answer.bytes, false)).toMatchObject({ code: 3, message: expect.stringContaining(reason) });
  });

  it.each([
    ['holds nothing', text('')],
    ['has an empty resource', text('\x0a\x00')],
    ['has a resource without attributes', text('\x0a\x02\x0a\x00')],
    ['has a field of a later version beside one that is known', text('\x7a\x03abc\x0a\x02\x12\x00')],
  ])('is answered 200 where it %s', async (_what, body) => {
    const answer = await postBody(server.url, body, { 'content-type': 'application/x-protobuf' }, signal);
    expect(answer.status).toBe(200);
  });
});

describe.each(ENCODINGS)('a request in %s', (encoding) => {
  const isJson = encoding === 'application/json';
  const number = ENCODINGS.indexOf(encoding);

  it('is answered 200 in its own encoding, without partial success', async () => {
    const request = traceRequest([{ traceId: traceId(10 + number), spanId: spanId(1) }]);
    const answer = await exportTraces(server.url, request, { encoding });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(encoding);
    expect(Buffer.from(answer.bytes).toString()).toBe(isJson ? '{}' : '');
    expect((await getOnlySpan(server.url, traceId(10 + number))).context.span_id).toBe(spanId(1));
  });

  it.each([
    ['no bytes', new Uint8Array(0)],
    ['an empty request', encodeRequest(encoding, {})],
    ['a resource without spans', encodeRequest(encoding, requestOf([]))],
  ])('is answered 200 when it holds %s', async (name, body) => {
    const answer = await postBody(server.url, body, { 'content-type': encoding });
    // No bytes are an empty protobuf message, and no JSON.
    expect(answer.status).toBe(isJson && name === 'no bytes' ? 400 : 200);
  });

  it('is answered 400 with a google.rpc.Status when it cannot be decoded', async () => {
    const body = new Uint8Array(Buffer.from(isJson ? '{"resourceSpans": [' : '\x0a\x7fcut off'));
    const answer = await postBody(server.url, body, { 'content-type': encoding });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe(encoding);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(readStatus(answer.bytes, isJson)).toMatchObject({
      code: 3,
      message: expect.stringMatching(/not .*(JSON|protobuf)/i),
    });
  });

  it('of a thousand spans with one that has no id stores the others and says so', async () => {
    const spans = Array.from({ length: 1000 }, (_, index) =>
      otlpSpan({ traceId: traceId(20 + number), spanId: spanId(index + 1), name: `of ${encoding}` }),
    );
    spans[417] = { ...otlpSpan({ spanId: spanId(418) }), spanId: '' };
    const answer = await exportTraces(server.url, requestOf(spans), { encoding });
    expect(answer.status).toBe(200);
    expect(answer.rejectedSpans).toBe(1);
    expect(answer.message).toBe(
      "1 of 1000 spans were not stored (1 invalid_span_id). The first: A span's span id is missing. Send 8 bytes that are not all zero, in JSON as 16 hex digits.",
    );
    const stored = await listSpans(server.url, 'default', `trace_id=${traceId(20 + number)}`);
    expect(new Set(stored.map((span) => span.context.span_id)).size).toBe(999);
  });

  it.each<[string, Omit<TestSpan, 'spanId'>]>([
    ['its own fields', { name: 'to be broken' }],
    ['a value deep inside', { attributes: { map: { list: ['to be broken'] } } }],
    ['an event', { events: [{ name: 'to be broken' }] }],
  ])('with one span that is broken in %s stores its neighbours', async (_name, fields) => {
    const id = traceId(++lastTrace);
    const body = encodeRequest(
      encoding,
      traceRequest([1, 2, 3].map((index) => ({ ...fields, traceId: id, spanId: spanId(index) }))),
    );
    breakSecondSpan(body, isJson);
    const answer = await postBody(server.url, body, { 'content-type': encoding });
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 1, message: expect.stringContaining('1 malformed') });
    const stored = await listSpans(server.url, 'default', `trace_id=${id}&order=asc`);
    expect(stored.map((span) => span.context.span_id)).toEqual([spanId(1), spanId(3)]);
  });

  it('of logs stores nothing, for log records have no ids where spans have them', async () => {
    const body = isJson ? new Uint8Array(Buffer.from(JSON.stringify(LOGS_IN_JSON))) : encodeLogs();
    const answer = await postBody(server.url, body, { 'content-type': encoding });
    // In JSON the names differ, so that no span is seen at all.
    expect(answer).toMatchObject({ status: 200, rejectedSpans: isJson ? 0 : 2 });
    if (!isJson) expect(answer.message).toContain('logs and metrics have paths of their own');
    expect(await listSpans(server.url, 'default', 'name=a%20log')).toEqual([]);
  });
});

describe('a span that is broken in an event', () => {
  it('hides no other span behind the break', async () => {
    const [id, hiddenId] = [traceId(++lastTrace), traceId(++lastTrace)];
    const event = Buffer.of((11 << 3) | 2, 1, 0x0f);
    const hidden = encodeSpan(otlpSpan({ traceId: hiddenId, spanId: spanId(1) }));
    const broken = Buffer.concat([encodeSpan({}), event, Buffer.of((2 << 3) | 2, hidden.length), hidden]);
    const neighbour = encodeSpan(otlpSpan({ traceId: id, spanId: spanId(2) }));
    const answer = await postBody(server.url, requestAround([broken, neighbour]), {
      'content-type': 'application/x-protobuf',
    });
    expect(hidden.length).toBeLessThan(128);
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 1, message: expect.stringContaining('1 of 2 spans') });
    expect(await listSpans(server.url, 'default', `trace_id=${hiddenId}`)).toEqual([]);
    expect(await listSpans(server.url, 'default', `trace_id=${id}`)).toHaveLength(1);
  });
});

describe('a request in another content type', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/grpc', '', 'nonsense'])(
    'is answered 415 and stores nothing: %j',
    async (contentType) => {
      const body = encodeRequest('application/json', traceRequest([{ traceId: traceId(40), spanId: spanId(1) }]));
      const answer = await postBody(server.url, body, { 'content-type': contentType });
      expect(answer.status).toBe(415);
      expect(readStatus(answer.bytes, true).message).toContain('application/x-protobuf');
      expect(await listSpans(server.url, 'default', `trace_id=${traceId(40)}`)).toEqual([]);
    },
  );
});

describe('other methods', () => {
  it('any method but POST is answered 405 with the method that works', async () => {
    const response = await fetch(`${server.url}/v1/traces`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('SERVICE_OTLP_HTTP_PORT', () => {
  it('is a second port that takes the same and nothing else', async () => {
    await using other = await startTestServer({ OTLP_HTTP_PORT: '0', HOST_ROOT_PATH: '/cairn' });
    const otlpUrl = other.server.otlpHttpUrl ?? '';
    for (const [number, url] of [otlpUrl, other.url, other.url.replace('/cairn', '')].entries()) {
      const answer = await exportTraces(url, traceRequest([{ traceId: traceId(50 + number), spanId: spanId(1) }]));
      expect(answer.status).toBe(200);
      expect((await getOnlySpan(other.url, traceId(50 + number))).context.span_id).toBe(spanId(1));
    }
    expect((await fetch(`${otlpUrl}/v1/projects`)).status).toBe(404);
  });
});

/** Makes a text of the second span no valid one: another wire type in protobuf, a number in JSON. */
function breakSecondSpan(body: Uint8Array, isJson: boolean): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = isJson ? '"to be broken"' : 'to be broken';
  const at = bytes.indexOf(text, bytes.indexOf(text) + 1);
  if (isJson) bytes.write('12345678901234', at);
  else bytes[at - 2] = 0x2f;
}

const LOGS_IN_JSON = {
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '1', body: { stringValue: 'a log' } }] }] }],
};

/** An `ExportLogsServiceRequest`: its lists have the numbers that those of traces have. */
function encodeLogs(): Uint8Array<ArrayBuffer> {
  const record = (isInTrace: boolean) => {
    const writer = new ProtobufWriter();
    if (isInTrace) {
      writer.bytes(10, Buffer.from(spanId(1), 'hex'));
      writer.bytes(9, Buffer.from(traceId(1), 'hex'));
    }
    writer.message(5, () => writer.text(1, 'a log'));
    writer.text(3, 'INFO');
    writer.uint32(2, 9);
    writer.fixed64(1, 1_767_225_600_000_000_000n);
    return writer.finish();
  };
  return requestAround([record(false), record(true)]);
}
