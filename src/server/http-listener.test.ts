import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANYBODY } from '#api/caller';
import { defineRoute } from '#api/rest/route';
import { AnswerBudget } from './answer-budget.ts';
import { ampleBodies } from './text-bodies.fixture.ts';
import { createHttpApp } from './http-app.ts';
import { type HttpListener, listenHttp } from './http-listener.ts';
import { testPolicy } from '#api/test-policy.fixture';

let app: FastifyInstance;
let listener: HttpListener;
let handle: RequestListener;
let begunCount: number;
/** When what was begun goes on. */
let ready: Promise<void>;

const route = defineRoute({
  method: 'GET',
  path: '/thing',
  operationId: 'test',
  summary: '',
  tag: 'test',
  access: testPolicy.open,
  replies: {},
  handler: async () => ({ body: 'here' }),
});
const BOUNDS = { connections: 100, heads: 1_000_000 };
const WHAT = { label: 'HTTP', setting: 'SERVICE_PORT' };
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(async () => {
  app = createHttpApp({
    isOpen: true,
    cookies: { isSecure: false, path: '/' },
    callers: ANYBODY,
    answers: new AnswerBudget(),
    textBodies: ampleBodies(),
    graphql: null,
    webUi: null,
    routes: [route],
    receive: () => undefined,
    rootPath: '/root',
    allowedHosts: [],
    allowedOrigins: [],
    registry: null,
    log,
  });
  await app.ready();
  begunCount = 0;
  ready = Promise.resolve();
  handle = (request, response) => {
    begunCount++;
    void ready.then(() => app.routing(request, response));
  };
  listener = await listenHttp(WHAT, handle, ['127.0.0.1'], 0, null, BOUNDS);
});
afterEach(async () => {
  await listener.close(0);
  await app.close();
});

/** Everything that comes back until the server or, at the end of `sent`, this side closes. */
async function exchange(...sent: readonly string[]): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = text(socket);
  for (const part of sent) socket.write(part);
  return answer;
}

const HEAD = 'Host: localhost\r\nConnection: close\r\n';

describe('what never becomes a request', () => {
  it.each([
    ['garbage', '\x16\x03\x01\r\n\r\n', 400],
    ['two lengths', `POST /thing HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    [
      'a length beside chunks',
      `POST /thing HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    ['a method that nobody knows', `FROBNICATE /thing HTTP/1.1\r\n${HEAD}\r\n`, 405],
    ['an address of 70 KB', `GET /thing?${'x'.repeat(70_000)} HTTP/1.1\r\n${HEAD}\r\n`, 431],
  ])('is answered, version included, and cut off: %s', async (_, request, status) => {
    const answer = await exchange(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('\r\nx-phoenix-server-version: 20.26.0\r\n');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain(`\r\ncontent-length: ${body.length}\r\n`);
  });
});

describe('a client that is answered before it has sent all', () => {
  const LENGTH = 32 * 1024 * 1024;

  let begun: string[];
  /** The server's end of the connection is closed. */
  let closed: Promise<unknown>;

  beforeEach(async () => {
    await listener.close(0);
    begun = [];
    const refuse: RequestListener = ({ method, headers, socket }, response) => {
      begun.push(String(method));
      closed = once(socket, 'close');
      response.writeHead(503, headers['x-end'] === undefined ? {} : { connection: 'close' }).end('later');
    };
    listener = await listenHttp(WHAT, refuse, ['127.0.0.1'], 0, null, BOUNDS);
  });

  /** Sends a body, as fast as it is taken, and reads the answer only then. */
  async function sendFirst(headers: string): Promise<{ answer: string; socket: Socket }> {
    const socket = await connectHalfOpen();
    socket.write(`POST /thing HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${LENGTH}\r\n\r\n`);
    const piece = Buffer.alloc(LENGTH / 256);
    for (let count = 0; count < 256; count++) if (!socket.write(piece)) await once(socket, 'drain');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part) => (answer += part));
    while (!answer.includes('\r\n\r\n')) await once(socket, 'data');
    return { answer, socket };
  }

  async function connectHalfOpen(): Promise<Socket> {
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async function sendMore(socket: Socket): Promise<void> {
    socket.write('more');
    await nextTurn();
  }

  it('hears the answer, also on a connection that ends with it, and that is closed', async () => {
    const { answer, socket } = await sendFirst('Connection: close\r\n');
    expect(answer).toContain('HTTP/1.1 503');
    await closed;
    socket.destroy();
  });

  it('and sends another request behind it gets no second answer: that is not begun', async () => {
    const socket = await connectHalfOpen();
    socket.write(`POST /thing HTTP/1.1\r\nHost: localhost\r\nX-End: 1\r\nContent-Length: 8\r\n\r\nhalf`);
    await once(socket.resume(), 'end');
    socket.write('halfDELETE /thing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed;
    socket.destroy();
    expect(begun).toEqual(['POST']);
  });

  it('twice in a row, is cut off after the last answer', async () => {
    const socket = await connectHalfOpen();
    const half = (headers: string) =>
      `POST /thing HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 8\r\n\r\nhalf`;
    socket.write(half(''));
    await once(socket, 'data');
    // The end of one and the beginning of the next come together.
    socket.write(`half${half('Connection: close\r\n')}`);
    await once(socket.resume(), 'end');
    socket.write('half');
    await closed;
    socket.destroy();
  });

  it('is cut off where it does not come to an end, also on a connection that ends with the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const socket = await connectHalfOpen();
      socket.write(`POST /thing HTTP/1.1\r\n${HEAD}Content-Length: ${LENGTH}\r\n\r\nsome`);
      await once(socket.resume(), 'end');
      vi.advanceTimersByTime(4_999);
      for (let turn = 0; turn < 20; turn++) await sendMore(socket);
      expect(socket.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      while (!socket.destroyed) await sendMore(socket);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the host', () => {
  it.each([
    ['Host: localhost\r\nHost: localhost\r\n', 400],
    ['Host: localhost\r\nhOST: evil.example\r\n', 400],
    ['Hosts: localhost\r\nHost: localhost\r\n', 200],
    ['', 400],
  ])('stands there once: %j', async (hosts, status) => {
    const answer = await exchange(`GET /thing HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(begunCount).toBe(status === 200 ? 1 : 0);
  });
});

describe('an address', () => {
  it('may be as long as a thousand ids', async () => {
    const ids = `trace_id=${'a'.repeat(32)}&`.repeat(1000);
    expect(await exchange(`GET /thing?${ids} HTTP/1.1\r\n${HEAD}\r\n`)).toMatch(/^HTTP\/1\.1 200 [^]*here$/);
  });

  it.each(['/root/thing', 'http://localhost/thing', 'HTTP://localhost:80/root/thing?x=1'])(
    'may be written as %s',
    async (address) => {
      expect(await exchange(`GET ${address} HTTP/1.1\r\n${HEAD}\r\n`)).toMatch(/^HTTP\/1\.1 200 [^]*here$/);
    },
  );
});

describe('requests on one connection', () => {
  const ASK = 'GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const LAST = `GET /thing HTTP/1.1\r\n${HEAD}\r\n`;
  const countAnswers = (answer: string) => answer.split('HTTP/1.1 200').length - 1;

  it('may come some before the others are answered, and many one after the other', async () => {
    expect(countAnswers(await exchange(ASK.repeat(31) + LAST))).toBe(32);
    const socket = connect(listener.port, '127.0.0.1');
    for (let request = 0; request < 100; request++) {
      socket.write(ASK);
      await once(socket, 'data');
    }
    socket.destroy();
  });

  it('are answered before what comes behind them and is none, which is answered last', async () => {
    const answer = await exchange(`${ASK.repeat(3)}GARBAGE\r\n\r\n`);
    expect([countAnswers(answer), answer.split('HTTP/1.1 ').at(-1)?.slice(0, 3)]).toEqual([3, '400']);
    expect(begunCount).toBe(3);
  });

  it('are not begun where a thousand come at once: the connection is cut off', async () => {
    expect(await exchange(ASK.repeat(1000)).then(countAnswers, () => 0)).toBeLessThan(33);
    expect(begunCount).toBe(32);
  });
});

describe('a listener that closes', () => {
  const ASK_ALIVE = 'GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n';
  let errors: string[];

  beforeEach(() => {
    errors = [];
  });

  /** Connections that have had an answer, and are kept. */
  async function openIdle(count: number): Promise<Socket[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', ({ message }) => errors.push(message));
        socket.write(ASK_ALIVE);
        await once(socket, 'data');
        return socket;
      }),
    );
  }

  it('answers what meets it on connections that were idle, says that they end, and resets none', async () => {
    const sockets = await openIdle(20);
    const answers = sockets.map(async (socket) => {
      const answer = await text(socket);
      socket.end();
      return answer;
    });
    for (const socket of sockets) socket.write(ASK_ALIVE);
    await listener.close(2000);
    for (const answer of await Promise.all(answers))
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*here$/i);
    expect(errors).toEqual([]);
    expect(begunCount).toBe(40);
  });

  it('answers all that was begun on a connection, and ends it after the last', async () => {
    const [socket] = (await openIdle(1)) as [Socket];
    const { promise, resolve } = Promise.withResolvers<void>();
    ready = promise;
    socket.write(ASK_ALIVE.repeat(3));
    await vi.waitFor(() => expect(begunCount).toBe(4));
    const answers = text(socket).then((read) => {
      socket.end();
      return read.split('HTTP/1.1 200').slice(1);
    });
    const closed = listener.close(5000);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    resolve();
    await closed;
    expect((await answers).map((answer) => /connection: close/i.test(answer))).toEqual([false, false, true]);
    expect(errors).toEqual([]);
  });

  it('answers what came while its thread was busy, however long that was, at two addresses as at one', async () => {
    await listener.close(0);
    listener = await listenHttp(WHAT, handle, ['127.0.0.1', '::1'], 0, null, BOUNDS);
    const [socket] = (await openIdle(1)) as [Socket];
    const answer = text(socket).then((read) => {
      socket.end();
      return read;
    });
    const closed = listener.close(5000);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    socket.write(ASK_ALIVE);
    const busyUntilMs = performance.now() + 300;
    while (performance.now() < busyUntilMs);
    await closed;
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*here$/i);
    expect(errors).toEqual([]);
  });

  it('reads what crosses the end of a connection without beginning it, and waits for nobody who stays', async () => {
    const [crossing, staying] = await openIdle(2);
    crossing?.resume().once('end', () => crossing.end(ASK_ALIVE));
    staying?.resume();
    const startedAt = performance.now();
    await listener.close(20_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(errors).toEqual([]);
    expect(begunCount).toBe(2);
    staying?.destroy();
  });
});
