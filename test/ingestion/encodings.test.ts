/** Encodings of a body: every one of them stores the same. */
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ENCODINGS,
  encodeRequest,
  encodeSpan,
  exportTraces,
  postBody,
  readStatus,
  requestAround,
} from '../harness/otlp-client.ts';
import { Double, otlpSpan, requestOf, spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { getOnlySpan, getOriginal, getOriginalSpan, readIngestCounters } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const COMPRESSIONS: readonly [string, (body: Uint8Array) => Uint8Array][] = [
  ['identity', (body) => body],
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
  ['GZIP', zlib.gzipSync],
  ['gzip, zstd', (body) => zlib.zstdCompressSync(zlib.gzipSync(body))],
];

describe.each(ENCODINGS)('a body in %s', (encoding) => {
  const isJson = encoding === 'application/json';

  it.each(COMPRESSIONS)('is read in the content encoding %s', async (contentEncoding, compress) => {
    const id = traceId(
      100 + 20 * ENCODINGS.indexOf(encoding) + COMPRESSIONS.findIndex(([name]) => name === contentEncoding),
    );
    const body = new Uint8Array(
      compress(encodeRequest(encoding, traceRequest([{ traceId: id, spanId: spanId(1), name: contentEncoding }]))),
    );
    const answer = await postBody(server.url, body, { 'content-type': encoding, 'content-encoding': contentEncoding });
    expect(answer.status).toBe(200);
    expect((await getOnlySpan(server.url, id)).name).toBe(contentEncoding);
  });

  it('in deflate without the zlib header is read as well', async () => {
    const id = traceId(150 + ENCODINGS.indexOf(encoding));
    const body = new Uint8Array(
      zlib.deflateRawSync(encodeRequest(encoding, traceRequest([{ traceId: id, spanId: spanId(1) }]))),
    );
    expect((await postBody(server.url, body, { 'content-type': encoding, 'content-encoding': 'deflate' })).status).toBe(
      200,
    );
    expect((await getOnlySpan(server.url, id)).context.span_id).toBe(spanId(1));
  });

  it.each(['compress', 'snappy', 'gzip, gzip, gzip'])(
    'in the content encoding %s is answered 415',
    async (contentEncoding) => {
      const answer = await postBody(server.url, encodeRequest(encoding, traceRequest([])), {
        'content-type': encoding,
        'content-encoding': contentEncoding,
      });
      expect(answer.status).toBe(415);
      expect(answer.headers.get('content-type')).toBe(encoding);
    },
  );

  it.each([
    ['gzip', 'that is none', () => Buffer.from('no gzip')],
    ['gzip', 'that is cut off', (body: Uint8Array) => zlib.gzipSync(body).subarray(0, -9)],
    ['gzip', 'with a wrong checksum', (body: Uint8Array) => withLastByteChanged(zlib.gzipSync(body))],
    [
      'zstd',
      'with something behind it',
      (body: Uint8Array) => Buffer.concat([zlib.zstdCompressSync(body), Buffer.from('behind')]),
    ],
  ])('in %s %s is answered 400', async (contentEncoding, _name, corrupt) => {
    const body = corrupt(encodeRequest(encoding, traceRequest([{ spanId: spanId(1) }])));
    const answer = await postBody(server.url, new Uint8Array(body), {
      'content-type': encoding,
      'content-encoding': contentEncoding,
    });
    expect(answer.status).toBe(400);
    expect(readStatus(answer.bytes, isJson)).toMatchObject({
      code: 3,
      message: expect.stringContaining(contentEncoding),
    });
  });

  it.each([`${encoding};charset=utf-8`, `${encoding} ; charset=UTF-8; foo="bar"`, encoding.toUpperCase()])(
    'is read with the content type %s',
    async (contentType) => {
      const answer = await postBody(server.url, encodeRequest(encoding, traceRequest([])), {
        'content-type': contentType,
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(encoding);
    },
  );
});

describe('JSON and protobuf', () => {
  it('of the same spans are stored identically, to the byte', async () => {
    const attributes = {
      text: 'ünïcode 😀',
      whole: 42,
      double: new Double(42),
      yes: true,
      list: ['a', 1, null],
      map: { 'a.b': 1 },
      bytes: Uint8Array.of(0, 255),
      most: 2n ** 63n - 1n,
    };
    const request = requestOf([
      {
        ...otlpSpan({ traceId: traceId(1), spanId: spanId(1), parentSpanId: spanId(2), status: 'ERROR', attributes }),
        traceState: 'a=b',
        flags: 257,
        droppedAttributesCount: 3,
        events: [{ name: 'exception', timeUnixNano: '1767225600000000001', attributes: [], droppedAttributesCount: 1 }],
        links: [{ traceId: traceId(2), spanId: spanId(3), traceState: 'c=d', attributes: [] }],
      },
    ]);
    await exportTraces(server.url, request, { encoding: 'application/x-protobuf' });
    const before = await getOriginal(server.url, 'traces', traceId(1));
    const counted = await readIngestCounters(server.url);
    await exportTraces(server.url, request, { encoding: 'application/json' });
    // The bytes are the same, so the second is a duplicate of the first.
    expect((await readIngestCounters(server.url)).get('outcome=duplicate')).toBe(
      (counted.get('outcome=duplicate') ?? 0) + 1,
    );
    expect(await getOriginal(server.url, 'traces', traceId(1))).toEqual(before);
    expect(before).toEqual(encodeRequest('application/x-protobuf', request));
  });

  it('JSON integers may be numbers or decimal text, of any field', async () => {
    const span = otlpSpan({ spanId: spanId(1) });
    const asNumbers = {
      ...span,
      kind: 3,
      startTimeUnixNano: 1767225600000000000,
      attributes: [{ key: 'n', value: { intValue: 9007199254740993 } }],
    };
    const asTexts = {
      ...span,
      kind: '3',
      startTimeUnixNano: '1767225600000000000',
      attributes: [{ key: 'n', value: { intValue: '9007199254740993' } }],
    };
    const text = JSON.stringify(requestOf([{ ...asNumbers, traceId: traceId(3) }])).replace(
      '9007199254740992',
      '9007199254740993',
    );
    await postBody(server.url, new Uint8Array(Buffer.from(text)), { 'content-type': 'application/json' });
    await exportTraces(server.url, requestOf([{ ...asTexts, traceId: traceId(4) }]), { encoding: 'application/json' });
    const [first, second] = [
      await getOriginalSpan(server.url, traceId(3)),
      await getOriginalSpan(server.url, traceId(4)),
    ];
    expect(first).toMatchObject({ kind: 3, attributes: [{ key: 'n', value: { intValue: '9007199254740993' } }] });
    expect({ ...second, traceId: traceId(3) }).toEqual(first);
  });

  it('JSON enums may be names, ids any letter case, and fields null', async () => {
    const span = {
      ...otlpSpan({ spanId: spanId(1) }),
      traceId: traceId(5).toUpperCase(),
      kind: 'SPAN_KIND_CLIENT',
      status: { code: 'STATUS_CODE_OK' },
      events: null,
    };
    await exportTraces(server.url, requestOf([span]), { encoding: 'application/json' });
    expect(await getOriginalSpan(server.url, traceId(5))).toMatchObject({
      traceId: traceId(5),
      kind: 3,
      status: { code: 1 },
    });
  });

  it('unknown JSON fields and names in snake_case are ignored', async () => {
    const span = {
      ...otlpSpan({ traceId: traceId(6), spanId: spanId(1) }),
      future: { deep: [1] },
      parent_span_id: spanId(9),
    };
    const answer = await exportTraces(
      server.url,
      { ...requestOf([span]), resource_spans: [] },
      { encoding: 'application/json' },
    );
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0 });
    expect((await getOnlySpan(server.url, traceId(6))).parent_id).toBeNull();
  });

  it('unknown protobuf fields are kept in the original', async () => {
    const future = Buffer.concat([Buffer.of(0xc2, 0x1f, 6), Buffer.from('future')]);
    const span = Buffer.concat([encodeSpan(otlpSpan({ traceId: traceId(7), spanId: spanId(1) })), future]);
    await postBody(server.url, requestAround([span]), { 'content-type': 'application/x-protobuf' });
    expect(await getOriginal(server.url, 'traces', traceId(7))).toEqual(requestAround([span]));
  });
});

function withLastByteChanged(bytes: Buffer): Buffer {
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 5) ^ 0xff, bytes.length - 5);
  return bytes;
}
