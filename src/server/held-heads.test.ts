import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connections } from './connections.ts';
import { headOf, listUnfinished, MAX_HEAD_BYTES } from './held-heads.ts';

let server: Server;
let connections: Connections;
/** The server's ends, by the port of the client. */
let accepted: Map<number | undefined, Socket>;
const sockets: Socket[] = [];

beforeEach(async () => {
  connections = new Connections(100);
  accepted = new Map();
  server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
    connections.serve(request.socket, response, headOf(request));
    if (request.url === '/early') response.end('told');
    if (request.url === '/late') request.resume();
    if (request.url === '/read') request.resume().once('end', () => response.end('told'));
  });
  server.prependListener('connection', (socket: Socket) => {
    accepted.set(socket.remotePort, socket);
    connections.admit(socket);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** A connection that has sent all of it. */
async function send(localAddress: string, ...parts: readonly string[]): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket.on('error', () => undefined).resume());
  await once(socket, 'connect');
  await expect.poll(() => accepted.has(socket.localPort), { interval: 1 }).toBe(true);
  const end = accepted.get(socket.localPort);
  let sentBytes = 0;
  for (const part of parts) {
    socket.write(part);
    sentBytes += part.length;
    await expect.poll(() => end?.bytesRead, { interval: 1 }).toBe(sentBytes);
    shed(Infinity);
  }
  return socket;
}

function shed(maxBytes: number): void {
  connections.shedHeads(listUnfinished(server), maxBytes);
}

/** The names of those that a bound of so many bytes has ended. */
function listEnded(maxBytes: number, of: Readonly<Record<string, Socket>>): readonly string[] {
  shed(maxBytes);
  return Object.keys(of).filter((name) => accepted.get(of[name]?.localPort)?.destroyed);
}

const half = (bytes: number, path = '/late') => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Filler: ${'x'.repeat(bytes)}`;
const whole = (bytes: number, path: string, more = '') => `${half(bytes, path).replace('GET', 'POST')}\r\n${more}\r\n`;
const ANNOUNCED = 'Content-Length: 100000\r\n';

describe('where heads take too much', () => {
  it('the address that holds most gives up its largest, and others none', async () => {
    const crowd = { a: await send('127.0.0.2', half(20_000)), b: await send('127.0.0.2', half(30_000)) };
    const honest = await send('127.0.0.1', half(45_000));
    const all = { ...crowd, c: await send('127.0.0.2', half(10_000)), honest };
    expect(listEnded(200_000, all)).toEqual([]);
    expect(listEnded(70_000, all)).toEqual(['b']);
    expect(listEnded(30_000, all)).toEqual(['b', 'honest']);
  });

  it('what is no request yet goes before what waits for its body, and that before what is being answered', async () => {
    const all = {
      answering: await send('127.0.0.2', whole(50_000, '/late')),
      waiting: await send('127.0.0.2', whole(40_000, '/late', ANNOUNCED)),
      unfinished: await send('127.0.0.2', half(30_000)),
    };
    expect(listEnded(100_000, all)).toEqual(['unfinished']);
    expect(listEnded(60_000, all)).toEqual(['waiting', 'unfinished']);
    expect(listEnded(10_000, all)).toEqual(['answering', 'waiting', 'unfinished']);
  });

  it.each([
    ['a small head', [half(2000)]],
    ['a body', [`${whole(10, '/late', ANNOUNCED)}${'x'.repeat(60_000)}`]],
    ['a body of a request that is answered', [`${whole(10, '/early', ANNOUNCED)}${'x'.repeat(60_000)}`]],
    ['a body that was read whole', [`${whole(10, '/read', ANNOUNCED)}${'x'.repeat(100_000)}`]],
    ['a body before a small head', [`${whole(10, '/read', ANNOUNCED)}${'x'.repeat(100_000)}`, half(10)]],
    [
      'what came in chunks',
      [`${whole(10, '/read', 'Transfer-Encoding: chunked\r\n')}ea60\r\n${'x'.repeat(60_000)}\r\n0\r\n\r\n`],
    ],
    ['a head that was answered', [whole(50_000, '/early', 'Content-Length: 0\r\n')]],
  ])('%s does not count', async (_, parts) => {
    const socket = await send('127.0.0.2', ...parts);
    expect(listEnded(0, { socket })).toEqual([]);
  });

  it.each([
    [
      'behind the end of another request',
      [`${whole(10, '/read', 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n${half(50_000)}`],
    ],
    ['after a request', [whole(10, '/early', 'Content-Length: 0\r\n'), half(50_000)]],
    ['behind a request that is being answered', [`${whole(10, '/late')}${half(50_000)}`]],
    ['of a request that is answered before it has come', [whole(50_000, '/early', ANNOUNCED)]],
    ['piece by piece', [half(20_000), 'x'.repeat(20_000)]],
  ])('a head counts %s', async (_, parts) => {
    const socket = await send('127.0.0.2', ...parts);
    expect(listEnded(60_000, { socket })).toEqual([]);
    expect(listEnded(30_000, { socket })).toEqual(['socket']);
  });
});
