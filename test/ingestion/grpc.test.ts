/** What an exporter over gRPC is answered, by the official client for Node. */
import { compressionAlgorithms, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callExport, callFailingExport, encodeRequest } from '../harness/otlp-client.ts';
import { otlpSpan, requestOf, spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { getOnlySpan, getOriginal, listSpans } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ OTLP_MAX_BYTES: '1048576' });
});

afterAll(() => server[Symbol.asyncDispose]());

function encode(request: object): Uint8Array {
  return encodeRequest('application/x-protobuf', request);
}

describe('a call of TraceService/Export', () => {
  it.each([
    ['uncompressed', compressionAlgorithms.identity],
    ['gzip', compressionAlgorithms.gzip],
    ['deflate', compressionAlgorithms.deflate],
  ])('stores its spans as HTTP does, and is answered with an empty message: %s', async (_name, algorithm) => {
    const id = traceId(10 + algorithm);
    const message = encode(traceRequest([{ traceId: id, spanId: spanId(1), name: 'x'.repeat(1000) }]));
    const answer = await callExport(server.grpcAddress, message, {
      options: { 'grpc.default_compression_algorithm': algorithm },
    });
    expect(answer).toEqual({ rejectedSpans: 0, message: '' });
    expect(Buffer.compare(await getOriginal(server.url, 'traces', id), message)).toBe(0);
  });

  it('takes the metadata authorization, whatever it says, while nobody is asked who they are', async () => {
    const message = encode(traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]));
    await callExport(server.grpcAddress, message, { metadata: { authorization: 'Bearer some-key' } });
    expect((await getOnlySpan(server.url, traceId(1))).context.span_id).toBe(spanId(1));
  });

  it('without spans succeeds', async () => {
    expect(await callExport(server.grpcAddress, new Uint8Array(0))).toEqual({ rejectedSpans: 0, message: '' });
  });

  it('of a thousand spans with one that has no id stores the others and says so', async () => {
    const spans: object[] = Array.from({ length: 1000 }, (_, index) =>
      otlpSpan({ traceId: traceId(2), spanId: spanId(index + 1) }),
    );
    spans[999] = { ...spans[999], spanId: '' };
    const answer = await callExport(server.grpcAddress, encode(requestOf(spans)));
    expect(answer).toMatchObject({ rejectedSpans: 1, message: expect.stringContaining('1 of 1000 spans') });
    expect(await listSpans(server.url, 'default', `trace_id=${traceId(2)}`)).toHaveLength(999);
  });

  it('that cannot be decoded is INVALID_ARGUMENT', async () => {
    const error = await callFailingExport(server.grpcAddress, Buffer.from('\x0a\x7fcut off'));
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('Not valid protobuf'),
    });
  });

  it('that is no export request is INVALID_ARGUMENT', async () => {
    const error = await callFailingExport(server.grpcAddress, Buffer.from('{"resourceSpans":[]}'));
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('The body is not an ExportTraceServiceRequest'),
    });
  });

  it.each([
    ['before', new Uint8Array(1_048_577), compressionAlgorithms.identity],
    ['after', new Uint8Array(20_000_000), compressionAlgorithms.gzip],
  ])(
    'that is larger than the limit %s decompression is RESOURCE_EXHAUSTED without RetryInfo',
    async (_when, message, algorithm) => {
      const error = await callFailingExport(server.grpcAddress, message, {
        options: { 'grpc.default_compression_algorithm': algorithm },
      });
      expect(error).toMatchObject({
        code: status.RESOURCE_EXHAUSTED,
        details: expect.stringContaining('1048576 bytes'),
      });
      expect(error.metadata.get('grpc-status-details-bin')).toEqual([]);
    },
  );
});
