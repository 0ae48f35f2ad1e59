/** What the official client for Node sees. */
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { once } from 'node:events';
import { gunzipSync, inflateSync } from 'node:zlib';
import { credentials, type ServiceError } from '@grpc/grpc-js';
import { describe, expect, it, vi } from 'vitest';
import { ANYBODY } from '#api/caller';
import { AppError } from '#base/errors';
import { encodeExportResponse } from '#otlp/response';
import { RecordingReceiver } from '../recording-receiver.ts';
import { BOUNDS, callUnary, createClient, EXPORT, exportSpans, MIB, serve } from './server.fixture.ts';
import { createOtlpGrpcServer } from './server.ts';

function bodyOf(receiver: RecordingReceiver, index = 0): Buffer {
  return Buffer.from(receiver.received[index]?.body ?? []);
}

describe('an export over gRPC', () => {
  it('hands the message to the receiver in a buffer of its own', async () => {
    const { port, receiver } = await serve();
    expect(await exportSpans(createClient(port), Buffer.from('spans'))).toHaveLength(0);
    expect(receiver.received).toEqual([
      {
        signal: 'traces',
        body: new Uint8Array(Buffer.from('spans')),
        format: 'protobuf',
        contentEncoding: '',
        projectName: null,
      },
    ]);
    expect(receiver.received[0]?.body.buffer.byteLength).toBe(5);
  });

  it.each([
    [1, 'deflate', inflateSync],
    [2, 'gzip', gunzipSync],
  ] as const)('with compression %i is handed on as it came, marked as %s', async (algorithm, encoding, inflate) => {
    const { port, receiver } = await serve();
    const message = Buffer.alloc(100_000, 'spans');
    await exportSpans(createClient(port, { 'grpc.default_compression_algorithm': algorithm }), message);
    expect(receiver.received[0]?.contentEncoding).toBe(encoding);
    expect(inflate(bodyOf(receiver))).toEqual(message);
  });

  it('may be larger than any window', async () => {
    const { port, receiver } = await serve();
    const message = Buffer.alloc(20 * MIB, 'spans');
    await exportSpans(createClient(port), message);
    expect(bodyOf(receiver).equals(message)).toBe(true);
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('shares a connection with many others', async () => {
    const { port, receiver } = await serve();
    const client = createClient(port);
    const messages = Array.from({ length: 300 }, (_, index) => Buffer.alloc(10_000, `${index} `));
    await Promise.all(messages.map((message) => exportSpans(client, message)));
    const texts = new Set(receiver.received.map(({ body }) => Buffer.from(body).toString()));
    expect(texts).toEqual(new Set(messages.map(String)));
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('is answered with the partial success that the receiver reports', async () => {
    const { port, receiver } = await serve();
    const outcome = { rejectedCount: 2, errorMessage: '2 spans have no trace id.' };
    receiver.answer = () => outcome;
    const answer = await exportSpans(createClient(port), Buffer.from('x'));
    expect(answer).toEqual(Buffer.from(encodeExportResponse('traces', 'protobuf', outcome)));
  });

  it.each([
    ['traces', EXPORT],
    ['logs', '/opentelemetry.proto.collector.logs.v1.LogsService/Export'],
    ['metrics', '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export'],
  ] as const)('of %s says so', async (signal, path) => {
    const { port, receiver } = await serve();
    expect(await exportSpans(createClient(port), Buffer.from('x'), { path })).toHaveLength(0);
    expect(receiver.received.map((received) => received.signal)).toEqual([signal]);
  });

  it('names its project in metadata', async () => {
    const { port, receiver } = await serve();
    await exportSpans(createClient(port), Buffer.from('x'), { metadata: { 'X-Project-Name': 'checkout' } });
    expect(receiver.received[0]?.projectName).toBe('checkout');
  });

  it('is told that its deadline passed, while the work goes on', async () => {
    const { port, receiver } = await serve();
    const stored = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await stored.promise;
      return { rejectedCount: 0, errorMessage: '' };
    };
    const client = createClient(port);
    await expect(exportSpans(client, Buffer.from('slow'), { timeoutMs: 50 })).rejects.toMatchObject({ code: 4 });
    expect(receiver.budget.takenBytes).toBe(4);
    stored.resolve();
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(0));
  });

  it('that is cancelled while it is stored gives back its room afterwards and disturbs nobody', async () => {
    const { port, receiver, faults } = await serve();
    const stored = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await stored.promise;
      return { rejectedCount: 0, errorMessage: '' };
    };
    const client = createClient(port);
    const { call, answer } = callUnary(client, Buffer.from('x'));
    const cancelled = expect(answer).rejects.toMatchObject({ code: 1 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    call.cancel();
    await cancelled;
    stored.resolve();
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(0));
    expect(await exportSpans(client, Buffer.from('next'))).toHaveLength(0);
    expect(faults).toEqual([]);
  });
});

describe('a refusal over gRPC', () => {
  it.each([
    ['invalid_argument', 3, false],
    ['unauthenticated', 16, false],
    ['too_large', 8, false],
    ['resource_exhausted', 8, true],
    ['unavailable', 14, true],
    ['insufficient_storage', 14, true],
  ] as const)('for %s has the status %i, and details to retry by: %s', async (code, grpcStatus, hasDetails) => {
    const { port, receiver } = await serve();
    receiver.answer = () => {
      throw new AppError(code, 'No – 100 % no.\n');
    };
    const error = await exportSpans(createClient(port), Buffer.from('x')).catch(
      (thrown: unknown) => thrown as ServiceError,
    );
    expect(error).toMatchObject({ code: grpcStatus, details: 'No – 100 % no.\n' });
    expect((error as ServiceError).metadata.get('grpc-status-details-bin')).toHaveLength(hasDetails ? 1 : 0);
  });

  it('hides a fault of the server and reports it once', async () => {
    const { port, receiver, faults } = await serve();
    const fault = new Error('/secret/path');
    receiver.answer = () => {
      throw fault;
    };
    await expect(exportSpans(createClient(port), Buffer.from('x'))).rejects.toMatchObject({
      code: 13,
      details: 'Internal Server Error',
    });
    expect(faults).toEqual([fault]);
  });

  it('of a message above the limit comes although the client is still sending', async () => {
    const { port, receiver, refused } = await serve({ maxBytes: MIB });
    const client = createClient(port);
    await expect(exportSpans(client, Buffer.alloc(20 * MIB))).rejects.toMatchObject({
      code: 8,
      details: 'The message is larger than 1048576 bytes. Send less in one call.',
    });
    expect(refused).toEqual(['too_large']);
    expect(await exportSpans(client, Buffer.alloc(MIB))).toHaveLength(0);
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
    '/opentelemetry.proto.collector.trace.v1.TraceService/Import',
  ])('of %s is unimplemented', async (path) => {
    const { port, receiver } = await serve();
    await expect(exportSpans(createClient(port), Buffer.from('x'), { path })).rejects.toMatchObject({ code: 12 });
    expect(receiver.received).toEqual([]);
  });
});

it.each(['GET / HTTP/1.1\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff'])(
  'a peer that sends %j instead of frames disturbs nobody',
  async (bytes) => {
    const { port, receiver, faults } = await serve();
    const peer = connect(port, '127.0.0.1').resume();
    peer.on('error', () => undefined);
    peer.write(bytes, 'latin1');
    await new Promise((resolve) => peer.once('close', resolve));
    await exportSpans(createClient(port), Buffer.from('x'));
    expect([receiver.received.length, faults]).toEqual([1, []]);
  },
);

it('a health check is answered with SERVING', async () => {
  const { port } = await serve();
  const answer = await exportSpans(createClient(port), Buffer.alloc(0), { path: '/grpc.health.v1.Health/Check' });
  expect([...answer]).toEqual([8, 1]);
});

describe('TLS', () => {
  const read = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));
  const tls = { cert: read('server-certificate.pem').toString(), key: read('server-key.pem').toString() };
  const authority = read('authority.pem');

  it('carries an export', async () => {
    const { port, receiver } = await serve({ tls });
    await exportSpans(createClient(port, {}, credentials.createSsl(authority)), Buffer.from('secret spans'));
    expect(bodyOf(receiver).toString()).toBe('secret spans');
  });

  it('asks clients for a certificate when it is given their authority', async () => {
    const { port, receiver } = await serve({
      tls: { ...tls, ca: authority, requestCert: true, rejectUnauthorized: true },
    });
    const anonymous = createClient(port, {}, credentials.createSsl(authority));
    await expect(exportSpans(anonymous, Buffer.from('x'))).rejects.toMatchObject({ code: 14 });
    const known = credentials.createSsl(authority, read('client-key.pem'), read('client-certificate.pem'));
    await exportSpans(createClient(port, {}, known), Buffer.from('x'));
    expect(receiver.received).toHaveLength(1);
  });
});

describe('close', () => {
  it('lets the calls in flight finish and takes no new ones', async () => {
    const { port, server: closing, receiver } = await serve();
    const stored = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await stored.promise;
      return { rejectedCount: 1, errorMessage: 'late' };
    };
    const client = createClient(port);
    const answer = exportSpans(client, Buffer.from('x'));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    const closed = closing.close(60_000);
    await expect(exportSpans(createClient(port), Buffer.from('y'))).rejects.toMatchObject({ code: 14 });
    stored.resolve();
    expect(await answer).not.toHaveLength(0);
    await closed;
    expect(receiver.received).toHaveLength(1);
  });

  it('does not wait for a call that was refused before all of it was read', async () => {
    const { port, server: closing } = await serve({ maxBytes: 10 });
    await expect(exportSpans(createClient(port), Buffer.alloc(MIB))).rejects.toMatchObject({ code: 8 });
    await expect(closing.close(60_000)).resolves.toBeUndefined();
  });

  it('cuts off at the deadline what does not finish', async () => {
    const { port, server: closing, receiver } = await serve();
    const stored = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await stored.promise;
      return { rejectedCount: 0, errorMessage: '' };
    };
    const cutOff = expect(exportSpans(createClient(port), Buffer.from('x'))).rejects.toMatchObject({ code: 14 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    await closing.close(20);
    await cutOff;
    stored.resolve();
  });

  it('does not wait for a connection that never said anything', async () => {
    const { port, server: closing } = await serve();
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const ended = once(socket.resume(), 'close');
    await closing.close(20);
    await expect(ended).resolves.toBeDefined();
  });

  it('returns for a server that never listened', async () => {
    const unused = createOtlpGrpcServer(() => new RecordingReceiver(), {
      bounds: BOUNDS,
      callers: ANYBODY,
      maxBytes: 1,
      bodyDeadlineMs: 1,
      onFault: () => {},
      onRefused: () => {},
    });
    await expect(unused.close(60_000)).resolves.toBeUndefined();
  });
});

describe('a connection', () => {
  it('may send unasked what memory allows, in one call or in several', async () => {
    const { port } = await serve({ bounds: { ...BOUNDS, windowBytes: 100_000 } });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    await once(session, 'remoteSettings');
    expect(session.remoteSettings).toMatchObject({ initialWindowSize: 100_000, maxConcurrentStreams: 100 });
    await expect.poll(() => session.state.remoteWindowSize).toBe(100_000);
    session.close();
  });

  it('that never calls is closed in time, also one that speaks HTTP/2', async () => {
    const { port } = await serve({ silentMs: 50 });
    const socket = connect(port, '127.0.0.1').resume();
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    session.on('error', () => undefined);
    await Promise.all([once(socket, 'close'), once(session, 'close')]);
  });

  it('is closed a while after its last call, and not before', async () => {
    const { port } = await serve({ silentMs: 50, idleMs: 300 });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const call = session.request({ ':method': 'POST', ':path': '/none', 'content-type': 'application/grpc' });
    call.resume().end();
    await once(call, 'close');
    const calledAt = performance.now();
    await once(session, 'close');
    expect(performance.now() - calledAt).toBeGreaterThan(200);
  });

  it('gives way beyond the bound if it has never called, and stays for a newcomer if it has', async () => {
    const { port } = await serve({ maxConnections: 3 });
    const caller = connectHttp2(`http://127.0.0.1:${port}`);
    const call = caller.request({ ':method': 'POST', ':path': '/none', 'content-type': 'application/grpc' });
    call.resume().end();
    await once(call, 'close');
    const silent = [connect(port, '127.0.0.1').resume(), connect(port, '127.0.0.1').resume()] as const;
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    const displaced = Promise.race(silent.map((socket) => once(socket, 'close')));
    await exportSpans(createClient(port), Buffer.alloc(0));
    await displaced;
    expect(caller.destroyed).toBe(false);
    expect(silent.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    caller.close();
    for (const socket of silent) socket.destroy();
  });
});

it('listen reports an address that is taken', async () => {
  const { port } = await serve();
  const second = createOtlpGrpcServer(() => new RecordingReceiver(), {
    bounds: BOUNDS,
    callers: ANYBODY,
    maxBytes: 1,
    bodyDeadlineMs: 1,
    onFault: () => {},
    onRefused: () => {},
  });
  await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
