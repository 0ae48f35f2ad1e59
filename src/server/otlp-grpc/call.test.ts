/** What only a client that speaks HTTP/2 by hand can show. */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#base/errors';
import { ANONYMOUS } from '#domain/caller';
import { encodeRpcStatus } from '#otlp/response';
import { RecordingReceiver } from '../recording-receiver.ts';
import { frameMessage } from './framing.ts';
import { createOtlpGrpcServer, type OtlpGrpcServer } from './server.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const BUDGET_BYTES = 10_000;

let receiver: RecordingReceiver;
let faults: unknown[];
let addresses: (string | undefined)[];
let server: OtlpGrpcServer;
let session: ClientHttp2Session;

beforeEach(async () => {
  receiver = new RecordingReceiver({ budgetBytes: BUDGET_BYTES });
  faults = [];
  addresses = [];
  const trustedProxies = new BlockList();
  trustedProxies.addAddress('127.0.0.1');
  server = createOtlpGrpcServer(() => receiver, {
    bounds: { windowBytes: 2 * 1024 * 1024, calls: 100, callBytes: 2 ** 20 },
    callers: {
      resolve: async ({ remoteAddress }) => {
        addresses.push(remoteAddress);
        return ANONYMOUS;
      },
      stillHolds: async () => true,
    },
    trustedProxies,
    maxBytes: BUDGET_BYTES,
    bodyDeadlineMs: 200,
    onFault: (error) => faults.push(error),
    onRefused: () => undefined,
  });
  const { port } = await server.listen(0, '127.0.0.1');
  session = connect(`http://127.0.0.1:${port}`);
});

afterEach(async () => {
  session.destroy();
  await server.close(0);
  expect(faults).toEqual([]);
  expect(receiver.budget.takenBytes).toBe(0);
});

function call(headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': EXPORT,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => undefined);
  return stream;
}

/** The headers and trailers of the answer, together. */
async function answerOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  let trailers: IncomingHttpHeaders = {};
  stream.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  const closed = once(stream, 'close');
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  stream.resume();
  await closed;
  return { ...headers, ...trailers };
}

function exportBytes(bytes: Uint8Array, headers?: Record<string, string>): Promise<IncomingHttpHeaders> {
  const stream = call(headers);
  stream.end(bytes);
  return answerOf(stream);
}

describe('a call by hand', () => {
  it('comes from the client of a trusted proxy', async () => {
    await exportBytes(frameMessage(new Uint8Array()), { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' });
    await exportBytes(frameMessage(new Uint8Array()));
    expect(addresses).toEqual(['198.51.100.7', '127.0.0.1']);
  });

  it('is answered with a message and its status in trailers', async () => {
    const stream = call();
    stream.end(frameMessage(Buffer.from('spans')));
    const answered = answerOf(stream);
    const [data] = (await once(stream, 'data')) as [Buffer];
    expect([...data]).toEqual([0, 0, 0, 0, 0]);
    expect(await answered).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-accept-encoding': 'identity,gzip,deflate',
      'grpc-status': '0',
    });
  });

  it('may use windows wide enough for a far client', async () => {
    await exportBytes(frameMessage(Buffer.alloc(0)));
    expect(session.remoteSettings.initialWindowSize).toBe(512 * 1024);
    expect(session.state.remoteWindowSize).toBeGreaterThan(1.9 * 1024 * 1024);
    expect(session.state.remoteWindowSize).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  it('may be cut into frames anywhere', async () => {
    const message = Buffer.from('a message in pieces');
    const framed = frameMessage(message);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: framed.length - 1 })), async (cuts) => {
        const stream = call();
        const ends = [...cuts.sort((a, b) => a - b), framed.length];
        // A write is on its way as a frame of its own before the next one begins.
        for (const [index, end] of ends.entries()) {
          await new Promise((resolve) => stream.write(framed.subarray(ends[index - 1] ?? 0, end), resolve));
        }
        stream.end();
        expect(await answerOf(stream)).toMatchObject({ 'grpc-status': '0' });
        expect(Buffer.from(receiver.received.at(-1)?.body ?? [])).toEqual(message);
      }),
      { numRuns: 25 },
    );
  });

  it('of garbage is refused and leaves the connection usable', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 6, maxLength: 200 }), async (bytes) => {
        fc.pre(Buffer.from(bytes).readUInt32BE(1) !== bytes.length - 5);
        expect(['3', '8']).toContain((await exportBytes(bytes))['grpc-status']);
      }),
      { numRuns: 50 },
    );
    expect(await exportBytes(frameMessage(Buffer.from('x')))).toMatchObject({ 'grpc-status': '0' });
  });

  it.each(['application/json', 'application/grpc-web', 'application/grpc+json', 'text/html'])(
    'with the content type %s is HTTP 415',
    async (contentType) => {
      expect(await exportBytes(Buffer.from('{}'), { 'content-type': contentType })).toMatchObject({ ':status': 415 });
    },
  );

  it.each(['application/grpc+proto', 'Application/gRPC; charset=utf-8'])(
    'may have the content type %s',
    async (contentType) => {
      const answer = await exportBytes(frameMessage(Buffer.from('x')), { 'content-type': contentType });
      expect(answer).toMatchObject({ 'grpc-status': '0' });
    },
  );

  it('with another method is HTTP 405', async () => {
    const stream = session.request({ ':method': 'GET', ':path': EXPORT, 'content-type': 'application/grpc' });
    expect(await answerOf(stream)).toMatchObject({ ':status': 405, allow: 'POST' });
  });

  it('with an unknown encoding is unimplemented and told which to use', async () => {
    const answer = await exportBytes(frameMessage(Buffer.from('x')), { 'grpc-encoding': 'snappy' });
    expect(answer).toMatchObject({ 'grpc-status': '12', 'grpc-accept-encoding': 'identity,gzip,deflate' });
  });

  it('that is marked as compressed without an encoding is refused', async () => {
    const framed = frameMessage(Buffer.from('x'));
    framed[0] = 1;
    expect(await exportBytes(framed)).toMatchObject({ 'grpc-status': '3' });
  });

  it('may leave its message uncompressed although it names an encoding', async () => {
    await exportBytes(frameMessage(Buffer.from('x')), { 'grpc-encoding': 'gzip' });
    expect(receiver.received[0]?.contentEncoding).toBe('');
  });

  it('with a malformed timeout is refused', async () => {
    const answer = await exportBytes(frameMessage(Buffer.from('x')), { 'grpc-timeout': 'soon' });
    expect(answer).toMatchObject({ 'grpc-status': '3' });
  });

  it('is told in gRPC’s own details when to come again', async () => {
    receiver.answer = () => {
      throw new AppError('unavailable', 'The server is at capacity.', { retryAfterSeconds: 1 });
    };
    const answer = await exportBytes(frameMessage(Buffer.from('x')));
    expect(answer).toMatchObject({ 'grpc-status': '14', 'grpc-message': 'The server is at capacity.' });
    expect(Buffer.from(String(answer['grpc-status-details-bin']), 'base64')).toEqual(
      Buffer.from(
        encodeRpcStatus('protobuf', { code: 14, message: 'The server is at capacity.', retryAfterSeconds: 1 }),
      ),
    );
  });

  it('that sends nothing more is ended at the deadline for bodies', async () => {
    const stream = call();
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    expect(await answerOf(stream)).toMatchObject({ 'grpc-status': '4' });
  });

  it('whose own timeout passes during the body is ended then', async () => {
    const stream = call({ 'grpc-timeout': '10m' });
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    expect(await answerOf(stream)).toMatchObject({ 'grpc-status': '4' });
  });

  it('takes room for what has come, and says how much is announced', async () => {
    const reserve = vi.spyOn(receiver, 'reserve');
    const stream = call();
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    await vi.waitFor(() => expect(reserve).toHaveBeenCalledWith(1, { expectedBytes: 9 }));
    stream.close(constants.NGHTTP2_CANCEL);
  });

  it('that is reset in the middle gives back its room', async () => {
    const stream = call();
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(1));
    stream.close(constants.NGHTTP2_CANCEL);
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(0));
    expect(receiver.received).toEqual([]);
  });

  it('that is reset while it waits for room takes none afterwards', async () => {
    const holder = await receiver.reserve(BUDGET_BYTES);
    const reserve = vi.spyOn(receiver, 'reserve');
    const stream = call();
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    await vi.waitFor(() => expect(reserve).toHaveBeenCalled());
    stream.close(constants.NGHTTP2_CANCEL);
    // Calls are handled in order: by this answer the server knows of the reset.
    await exportBytes(Buffer.alloc(0));
    holder[Symbol.dispose]();
    await reserve.mock.results[0]?.value;
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(0));
    expect(await exportBytes(frameMessage(Buffer.alloc(BUDGET_BYTES)))).toMatchObject({ 'grpc-status': '0' });
  });

  it('that is ended while it waits for room takes none afterwards', async () => {
    const holder = await receiver.reserve(BUDGET_BYTES);
    const stream = call();
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    expect(await answerOf(stream)).toMatchObject({ 'grpc-status': '4' });
    holder[Symbol.dispose]();
    expect(await exportBytes(frameMessage(Buffer.alloc(BUDGET_BYTES - 5)))).toMatchObject({ 'grpc-status': '0' });
  });

  it('with more metadata than is bearable does not reach the receiver', async () => {
    // A client is held to the bound from when it has read of it.
    await exportBytes(Buffer.alloc(0));
    const stream = call({ 'x-padding': 'x'.repeat(20_000) });
    stream.end(frameMessage(Buffer.from('x')));
    await new Promise((resolve) => stream.resume().once('close', resolve));
    expect(stream.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect(receiver.received).toEqual([]);
  });
});
