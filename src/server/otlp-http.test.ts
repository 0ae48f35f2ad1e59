import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ANYBODY } from '#api/caller';
import { AppError } from '#base/errors';
import { encodeExportResponse, encodeRpcStatus } from '#otlp/response';
import { type OtlpHttpOptions, registerOtlpHttp } from './otlp-http.ts';
import { readRests } from './read-rest.ts';
import { RecordingReceiver } from './recording-receiver.ts';
import { enforceAccess } from '#api/rest/access';
import { testPolicy } from '#api/test-policy.fixture';

const PROTOBUF = 'application/x-protobuf';
const KIB = 1024;

let app: FastifyInstance | undefined;

afterEach(async () => {
  vi.useRealTimers();
  app?.server.closeAllConnections();
  await app?.close();
  app = undefined;
});

interface Served {
  readonly url: string;
  readonly port: number;
  readonly receiver: RecordingReceiver;
  readonly faults: unknown[];
  readonly refused: string[];
}

async function serve(
  receiver = new RecordingReceiver(),
  options: Partial<OtlpHttpOptions> = {},
  prepare: (app: FastifyInstance) => void = () => undefined,
): Promise<Served> {
  const faults: unknown[] = [];
  const refused: string[] = [];
  app = Fastify({ serverFactory: (handler) => createServer(readRests(handler)) });
  enforceAccess(app, ANYBODY);
  prepare(app);
  registerOtlpHttp(app, () => receiver, {
    pathPrefix: '',
    maxBytes: 64 * KIB * KIB,
    bodyDeadlineMs: 60_000,
    onFault: (error) => faults.push(error),
    onRefused: (code) => refused.push(code),
    ...options,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, port, receiver, faults, refused };
}

function post(url: string, body: RequestInit['body'], headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: body ?? null, headers: { 'content-type': PROTOBUF, ...headers } });
}

function postChunks(url: string, chunks: readonly Uint8Array[]): Promise<Response> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': PROTOBUF },
    body: ReadableStream.from(chunks),
    duplex: 'half',
  };
  return fetch(url, init);
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** A client that writes what it is told to and nothing else. */
async function connectRaw(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

function head(lines: readonly string[]): string {
  return ['POST /v1/traces HTTP/1.1', 'host: localhost', `content-type: ${PROTOBUF}`, ...lines, '', ''].join('\r\n');
}

async function readStatus(socket: Socket): Promise<number> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return Number(data.toString().split(' ', 2)[1]);
}

describe('an export over HTTP', () => {
  it.each(['', 'gzip', 'deflate', 'br', 'zstd', 'deflate, gzip'])(
    'hands the body to the receiver untouched with the content encoding "%s"',
    async (contentEncoding) => {
      const { url, receiver } = await serve();
      const body = gzipSync('not looked at');
      const response = await post(url, body, contentEncoding === '' ? {} : { 'content-encoding': contentEncoding });
      expect(response.status).toBe(200);
      expect(receiver.received).toEqual([
        { signal: 'traces', body: new Uint8Array(body), format: 'protobuf', contentEncoding, projectName: null },
      ]);
    },
  );

  it('gives the body a buffer of its own, so that it can be moved', async () => {
    const { url, receiver } = await serve();
    await post(url, Buffer.from('spans'));
    const body = receiver.received[0]?.body;
    expect(body?.buffer.byteLength).toBe(5);
    expect(structuredClone(body, { transfer: [body?.buffer as ArrayBuffer] })).toHaveLength(5);
  });

  it.each([
    [PROTOBUF, 'protobuf', PROTOBUF],
    ['Application/X-Protobuf; charset=utf-8', 'protobuf', PROTOBUF],
    ['application/json', 'json', 'application/json'],
    ['APPLICATION/JSON ; charset=UTF-8', 'json', 'application/json'],
  ] as const)('of type "%s" is read as %s and answered in the same encoding', async (sent, format, answered) => {
    const { url, receiver } = await serve();
    const response = await post(url, '{}', { 'content-type': sent });
    expect(receiver.received[0]?.format).toBe(format);
    expect(response.headers.get('content-type')).toBe(answered);
    expect(await bytesOf(response)).toEqual(
      Buffer.from(encodeExportResponse('traces', format, { rejectedCount: 0, errorMessage: '' })),
    );
  });

  it('is answered with the partial success that the receiver reports', async () => {
    const { url, receiver } = await serve();
    const outcome = { rejectedCount: 2, errorMessage: '2 spans have no trace id.' };
    receiver.answer = () => outcome;
    const response = await post(url, 'x');
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(Buffer.from(encodeExportResponse('traces', 'protobuf', outcome)));
  });

  it.each(['traces', 'logs', 'metrics'] as const)('of %s says so, and is answered as theirs are', async (signal) => {
    const { port, receiver } = await serve();
    const outcome = { rejectedCount: 2, errorMessage: 'two are bad' };
    receiver.answer = () => outcome;
    const url = `http://127.0.0.1:${port}/v1/${signal}`;
    const response = await post(url, '{}', { 'content-type': 'application/json' });
    expect(await bytesOf(response)).toEqual(Buffer.from(encodeExportResponse(signal, 'json', outcome)));
    expect(receiver.received[0]?.signal).toBe(signal);
    expect((await fetch(url)).status).toBe(405);
  });

  it('names its project in a header, trimmed and in UTF-8', async () => {
    const { url, receiver } = await serve();
    await post(url, 'x', { 'x-project-name': ` ${Buffer.from('größe').toString('latin1')} ` });
    expect(receiver.received[0]?.projectName).toBe('größe');
  });

  it('may come without bytes', async () => {
    const { url, receiver } = await serve();
    expect((await post(url, '')).status).toBe(200);
    expect(receiver.received[0]?.body).toHaveLength(0);
  });

  it('may come in chunks of unknown number, for which room is made as they arrive', async () => {
    const { url, receiver } = await serve();
    const chunks = Array.from({ length: 50 }, (_, index) => new Uint8Array(20_000).fill(index));
    expect((await postChunks(url, chunks)).status).toBe(200);
    expect(Buffer.from(receiver.received[0]?.body ?? [])).toEqual(Buffer.concat(chunks));
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('holds its bytes until it is answered', async () => {
    const { url, receiver } = await serve();
    const heldBytes: number[] = [];
    receiver.answer = () => {
      heldBytes.push(receiver.budget.takenBytes);
      return { rejectedCount: 0, errorMessage: '' };
    };
    await post(url, new Uint8Array(1_000));
    expect(heldBytes).toEqual([1_000]);
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('is taken below a path prefix', async () => {
    const { port } = await serve(undefined, { pathPrefix: '/cairn' });
    expect((await post(`http://127.0.0.1:${port}/cairn/v1/traces`, 'x')).status).toBe(200);
    expect((await post(`http://127.0.0.1:${port}/v1/traces`, 'x')).status).toBe(404);
  });

  it('leaves the body parsers of other routes alone', async () => {
    const { port } = await serve(undefined, {}, (instance) => {
      instance.post('/echo', { config: { access: testPolicy.open } }, (request, reply) => reply.send(request.body));
    });
    const response = await post(`http://127.0.0.1:${port}/echo`, '{"a":1}', { 'content-type': 'application/json' });
    expect(await response.json()).toEqual({ a: 1 });
  });
});

describe('a refusal over HTTP', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml;', ';', 'json', '/'])(
    'is 415 for the content type "%s", in JSON',
    async (contentType) => {
      const { url, receiver, faults, refused } = await serve();
      const response = await post(url, 'x', { 'content-type': contentType });
      expect([response.status, response.headers.get('content-type')]).toEqual([415, 'application/json']);
      expect(await response.json()).toEqual({
        code: 3,
        message: 'Send the content type application/x-protobuf or application/json.',
      });
      expect([receiver.received, faults, refused]).toEqual([[], [], ['unsupported']]);
    },
  );

  it('is 415 for a body without a content type', async () => {
    const { port } = await serve();
    const socket = await connectRaw(port);
    socket.write('POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n\r\nx');
    expect(await readStatus(socket)).toBe(415);
    socket.destroy();
  });

  it('comes in JSON to a client that sent JSON', async () => {
    const { url, receiver } = await serve();
    receiver.answer = () => {
      throw new AppError('invalid_argument', 'The body is no JSON.');
    };
    const response = await post(url, '{', { 'content-type': 'application/json' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 3, message: 'The body is no JSON.' });
  });

  it.each([
    ['unavailable', 503, '7'],
    ['resource_exhausted', 429, '7'],
    ['insufficient_storage', 503, '7'],
    ['too_large', 413, null],
    ['unsupported', 415, null],
  ] as const)('for %s has the status %i and the time to try again %s', async (code, status, retryAfter) => {
    const { url, receiver } = await serve();
    receiver.answer = () => {
      throw new AppError(code, 'No.', { retryAfterSeconds: 6.2 });
    };
    const response = await post(url, 'x');
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
  });

  it('hides a fault of the server and reports it once', async () => {
    const { url, receiver, faults } = await serve();
    const fault = new Error('/secret/path');
    receiver.answer = () => {
      throw fault;
    };
    const response = await post(url, 'x', { 'content-type': 'application/json' });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ code: 13, message: 'Internal Server Error' });
    expect(faults).toEqual([fault]);
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('by a hook of the instance is answered as OTLP says', async () => {
    const { url, receiver } = await serve(undefined, {}, (instance) => {
      instance.addHook('onRequest', async () => {
        throw new AppError('unauthenticated', 'Send an API key.');
      });
    });
    const response = await post(url, 'x');
    expect(response.status).toBe(401);
    expect(await bytesOf(response)).toEqual(
      Buffer.from(encodeRpcStatus('protobuf', { code: 16, message: 'Send an API key.' })),
    );
    expect(receiver.received).toEqual([]);
  });

  it('is 413 for a declared length above the limit, before the body is sent', async () => {
    const { port, receiver } = await serve(undefined, { maxBytes: 1_000 });
    const reserve = vi.spyOn(receiver, 'reserve');
    const socket = await connectRaw(port);
    socket.write(head(['content-length: 1001']));
    expect(await readStatus(socket)).toBe(413);
    expect(reserve).not.toHaveBeenCalled();
    socket.destroy();
  });

  it('is 413 for chunks that pass the limit, and none for those that just fit', async () => {
    const { url, receiver } = await serve(undefined, { maxBytes: 100 * KIB });
    const half = new Uint8Array(50 * KIB);
    expect((await postChunks(url, [half, half])).status).toBe(200);
    expect((await postChunks(url, [half, half, Uint8Array.of(1)])).status).toBe(413);
    expect(receiver.received.map(({ body }) => body.length)).toEqual([100 * KIB]);
    expect(receiver.budget.takenBytes).toBe(0);
  });

  it('takes room for what has come, and says how much is announced', async () => {
    const { port, receiver } = await serve();
    const reserve = vi.spyOn(receiver, 'reserve');
    const socket = await connectRaw(port);
    socket.write(`${head(['content-length: 5'])}bo`);
    await vi.waitFor(() => expect(reserve).toHaveBeenCalledWith(2, { expectedBytes: 5 }));
    socket.destroy();
  });

  it('leaves room for others while a large body is slow to arrive', async () => {
    const { port, url } = await serve(new RecordingReceiver({ budgetBytes: 4096 * KIB, waitMs: 1 }), {
      maxBytes: 4096 * KIB,
    });
    const socket = await connectRaw(port);
    socket.write(`${head([`content-length: ${4096 * KIB}`])}x`);
    expect((await post(url, new Uint8Array(1024 * KIB))).status).toBe(200);
    socket.destroy();
  });

  it('is 503 when there is no room in time', async () => {
    const { url, receiver } = await serve(new RecordingReceiver({ budgetBytes: 1_000, waitMs: 1 }));
    using _holder = await receiver.reserve(1_000);
    const response = await post(url, 'x');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('is 405 with the method to use for every other method', async () => {
    const { url } = await serve();
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(url, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('leaves the connection usable for a client that sends the refused body to its end', async () => {
    const { port } = await serve();
    const socket = await connectRaw(port);
    socket.write(`${head(['content-length: 4']).replace(PROTOBUF, 'text/plain')}body`);
    expect(await readStatus(socket)).toBe(415);
    socket.write(`${head(['content-length: 4'])}body`);
    expect(await readStatus(socket)).toBe(200);
    socket.destroy();
  });

  it('cuts off a client that does not finish the refused body', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { port } = await serve(undefined, { maxBytes: 10 });
    const socket = await connectRaw(port);
    socket.write(head(['content-length: 11']));
    expect(await readStatus(socket)).toBe(413);
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(5_000);
    await closed;
  });
});

describe('a client that misbehaves', () => {
  it('and goes away in the middle gives back its room and disturbs nobody', async () => {
    const { url, port, receiver, faults } = await serve(new RecordingReceiver({ budgetBytes: 1_000 }));
    const socket = await connectRaw(port);
    socket.write(`${head(['content-length: 1000'])}half of it`);
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe('half of it'.length));
    const next = post(url, 'x');
    socket.destroy();
    expect((await next).status).toBe(200);
    expect(receiver.received).toHaveLength(1);
    // The server may hear of the other request before it hears that the connection ended.
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(0));
    expect(faults).toEqual([]);
  });

  it('and sends too slowly is answered 408 at the deadline', async () => {
    const { port, receiver } = await serve(undefined, { bodyDeadlineMs: 20 });
    const socket = await connectRaw(port);
    socket.write(`${head(['content-length: 1000'])}a`);
    expect(await readStatus(socket)).toBe(408);
    expect(receiver.budget.takenBytes).toBe(0);
    socket.destroy();
  });

  it('and sends chunks slowly holds room for little more than it sent', async () => {
    const { port, receiver } = await serve();
    const socket = await connectRaw(port);
    socket.write(`${head(['transfer-encoding: chunked'])}1\r\na\r\n`);
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBe(1));
    socket.write(`${(20 * KIB).toString(16)}\r\n${'x'.repeat(20 * KIB)}\r\n`);
    await vi.waitFor(() => expect(receiver.budget.takenBytes).toBeGreaterThanOrEqual(20 * KIB));
    expect(receiver.budget.takenBytes).toBeLessThan(82 * KIB);
    socket.write('0\r\n\r\n');
    expect(await readStatus(socket)).toBe(200);
    socket.destroy();
  });
});
