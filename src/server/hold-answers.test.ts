/** Answers that real sockets do not read. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANYBODY } from '#api/caller';
import { defineRoute } from '#api/rest/route';
import { Secret } from '#base/secret';
import type { TlsConfig } from '#config/config';
import { AnswerBudget } from './answer-budget.ts';
import { ampleBodies } from './text-bodies.fixture.ts';
import { createHttpApp } from './http-app.ts';
import { type HttpListener, listenHttp } from './http-listener.ts';
import { testPolicy } from '#api/test-policy.fixture';

const MB = 1024 * 1024;

/** More than the buffers of two sockets take. */
const BYTES = 16 * MB;
const BODY = Buffer.alloc(BYTES, 'x');

/** Which compresses to half. */
const NOISE = randomBytes(BYTES / 2).toString('hex');

let app: FastifyInstance;
let listener: HttpListener;
let answers: AnswerBudget;
let errors: string[];
let clients: Socket[];

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/tls');
const ca = readFileSync(join(FIXTURES, 'authority.pem'));
const TLS: TlsConfig = {
  certificatePem: readFileSync(join(FIXTURES, 'server-certificate.pem'), 'utf8'),
  keyPem: new Secret(readFileSync(join(FIXTURES, 'server-key.pem'), 'utf8')),
  keyPassword: null,
  clientCaPem: null,
};

let tls: TlsConfig | null;

interface Times {
  /** For the listener. */
  readonly stallMs?: number;
  /** Until another address is preferred. */
  readonly cutMs?: number;
  readonly patienceMs?: number;
  readonly waitMs?: number;
}

async function start({ cutMs, stallMs, ...options }: Times = {}): Promise<void> {
  answers = new AnswerBudget({ maxBytes: 3.5 * BYTES, waitMs: 1, ...(cutMs && { stallMs: cutMs }), ...options });
  app = createHttpApp({
    isOpen: true,
    cookies: { isSecure: false, path: '/' },
    callers: ANYBODY,
    answers,
    textBodies: ampleBodies(),
    graphql: null,
    webUi: null,
    routes: [route('/large', BODY), route('/noise', NOISE), route('/small', 'small')],
    receive: () => undefined,
    rootPath: '',
    allowedHosts: [],
    allowedOrigins: [],
    registry: null,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: (message) => void errors.push(message) },
  });
  await app.ready();
  const what = { label: 'HTTP', setting: 'SERVICE_PORT' };
  listener = await listenHttp(
    what,
    (request, response) => app.routing(request, response),
    ['127.0.0.1'],
    0,
    tls,
    { connections: 100, heads: 1_000_000 },
    stallMs,
  );
}

function route(path: string, body: unknown) {
  return defineRoute({
    method: 'GET',
    path,
    operationId: path,
    summary: '',
    tag: 'test',
    access: testPolicy.read,
    replies: {},
    // Bytes that are sent are given back.
    handler: async () => ({ body: Buffer.isBuffer(body) ? Buffer.from(body) : body }),
  });
}

beforeEach(() => {
  tls = null;
  clients = [];
  errors = [];
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await listener.close(0);
  await app.close();
  expect(errors).toEqual([]);
});

const ASK = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

/** Asks, and reads nothing. */
async function askDeaf(request: string): Promise<Socket> {
  const to = { port: listener.port, host: '127.0.0.1' };
  const socket = tls === null ? connect(to) : connectTls({ ...to, ca });
  clients.push(socket.pause());
  socket.on('error', () => undefined);
  await once(socket, tls === null ? 'connect' : 'secureConnect');
  socket.write(request);
  return socket;
}

/** Asks from another address. */
async function askFrom(address: string, path: string) {
  const options = { host: '127.0.0.1', port: listener.port, path, localAddress: address, agent: false } as const;
  const request = tls === null ? get(options) : getOverTls({ ...options, ca });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], length: body.length, body };
}

/** Reads to the end, 64 KiB every ten milliseconds, however small the pieces are; returns how many bytes there were. */
async function readSlowly(socket: Socket): Promise<number> {
  let [received, rested] = [0, 0];
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received - rested < 64 * 1024) return;
    rested = received;
    socket.pause();
    setTimeout(() => socket.resume(), 10);
  });
  socket.resume();
  await once(socket, 'end');
  return received;
}

/** An answer that is being made for a third address and leaves too little beside two large ones. */
function takeRest(): Disposable {
  const path = { isWaiting: () => false, takenBytes: () => 0, cut: () => {} };
  const share = answers.open('192.0.2.1', path, '/');
  expect(share.grow(BYTES / 2)).toBe(true);
  return { [Symbol.dispose]: () => share.release() };
}

it('that nobody reads keep their room, and where there is none others are told to come again', async () => {
  await start();
  await askDeaf(ASK('/large'));
  await askDeaf(ASK('/large'));
  await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
  using _rest = takeRest();
  const refused = await askFrom('127.0.0.2', '/large');
  expect(refused).toMatchObject({ status: 503, retryAfter: '1' });
  expect(refused.body.toString()).toContain('Try again later');
  expect(await askFrom('127.0.0.2', '/small')).toMatchObject({ status: 200 });
});

it('give their room back once they are read, and when their client goes', async () => {
  await start();
  const [reader, leaver] = [await askDeaf(ASK('/large', 'Connection: close\r\n')), await askDeaf(ASK('/large'))];
  await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
  expect((await text(reader)).length).toBeGreaterThan(BYTES);
  await expect.poll(() => answers.takenBytes).toBe(BYTES);
  leaver.destroy();
  await expect.poll(() => answers.takenBytes).toBe(0);
});

it('give their room back when their client goes, also those that wait for their turn on its connection', async () => {
  await start();
  const client = await askDeaf(ASK('/large').repeat(2));
  await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
  client.destroy();
  await expect.poll(() => answers.takenBytes).toBe(0);
});

it('are cut off when nothing of them is taken for long', async () => {
  await start({ stallMs: 100 });
  await askDeaf(ASK('/large'));
  await expect.poll(() => answers.takenBytes).toBe(BYTES);
  await expect.poll(() => answers.takenBytes).toBe(0);
});

it('are not cut off while their client reads, however slowly', async () => {
  await start({ stallMs: 1000 });
  const client = await askDeaf(ASK('/large', 'Connection: close\r\n'));
  expect(await readSlowly(client)).toBeGreaterThan(BYTES);
});

it('give way when they were sent long ago and another needs their room', async () => {
  await start({ patienceMs: 0 });
  const first = await askDeaf(ASK('/large'));
  await expect.poll(() => answers.takenBytes).toBe(BYTES);
  await askDeaf(ASK('/large'));
  await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
  using _rest = takeRest();
  expect(await askFrom('127.0.0.2', '/large')).toMatchObject({ status: 200, length: BYTES });
  first.resume();
  await once(first, 'close');
});

const OVER = [
  ['in plain text', null],
  ['over TLS', TLS],
] as const;

it.each(OVER)(
  'that are not read %s leave room for another address, and give way where it needs more',
  async (_over, by) => {
    tls = by;
    await start({ cutMs: 400 });
    await askDeaf(ASK('/large'));
    await askDeaf(ASK('/large'));
    await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
    expect(await askFrom('127.0.0.2', '/large')).toMatchObject({ status: 200, length: BYTES });
    await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
    using _rest = takeRest();
    await expect.poll(() => askFrom('127.0.0.2', '/large')).toMatchObject({ status: 200, length: BYTES });
    await expect.poll(() => answers.takenBytes).toBe(1.5 * BYTES);
  },
);

it('that are not read keep their address from asking for more of the kind, before anything is made for it', async () => {
  await start({ waitMs: 50 });
  await askDeaf(ASK('/large'));
  await askDeaf(ASK('/large'));
  await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
  // Were it made first, there would be no room for it, which is said otherwise.
  const refused = async () => String((await askFrom('127.0.0.1', '/large')).body);
  await expect.poll(refused).toContain('not read yet');
  expect(errors).toEqual([]);
  expect(await askFrom('127.0.0.1', '/small')).toMatchObject({ status: 200 });
});

it.each(OVER)('%s are not cut off for another address while their client reads, however slowly', async (_over, by) => {
  tls = by;
  await start({ cutMs: 1000 });
  const slow = await askDeaf(ASK('/large', 'Connection: close\r\n'));
  await askDeaf(ASK('/large'));
  await expect.poll(() => answers.takenBytes).toBe(2 * BYTES);
  using _rest = takeRest();
  const read = readSlowly(slow);
  await expect.poll(() => askFrom('127.0.0.2', '/large')).toMatchObject({ status: 200 });
  expect(await read).toBeGreaterThan(BYTES);
});

it('take no more room than they have compressed', async () => {
  await start();
  await askDeaf(ASK('/noise', 'Accept-Encoding: gzip\r\n'));
  await expect.poll(() => answers.takenBytes / BYTES).toBeCloseTo(0.56, 1);
});
