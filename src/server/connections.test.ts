import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Connections } from './connections.ts';

let server: Server;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function serve(max: number): Promise<Connections> {
  const connections = new Connections(max);
  server = createServer((socket) => connections.admit(socket.on('error', () => undefined)));
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return connections;
}

/** A connection from an address of this machine, once the server has it. */
async function open(localAddress: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket.on('error', () => undefined).resume());
  await Promise.all([once(socket, 'connect'), accepted]);
  return socket;
}

/** The far end of it, as the server sees it. */
function peerOf({ localAddress, localPort }: Socket) {
  return { remoteAddress: localAddress, remotePort: localPort };
}

describe('where there is one too many', () => {
  it('the address that has most gives up its oldest silent one, whoever comes', async () => {
    await serve(4);
    const honest = await open('127.0.0.1');
    const crowd = [await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.2')] as const;
    const first = once(crowd[0], 'close');
    const newcomer = await open('127.0.0.3');
    await first;
    const second = once(crowd[1], 'close');
    await open('127.0.0.2');
    await second;
    expect([honest, newcomer, crowd[2]].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  });

  it('a silent one goes before one that is idle, and both before a busy one', async () => {
    const connections = await serve(3);
    const [busy, idle, silent] = [await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.2')];
    connections.serve(peerOf(busy), new EventEmitter());
    const answer = new EventEmitter();
    connections.serve(peerOf(idle), answer);
    answer.emit('close');
    const closed: string[] = [];
    for (const [name, socket] of Object.entries({ busy, idle, silent })) socket.once('close', () => closed.push(name));
    await open('127.0.0.1');
    await expect.poll(() => closed).toEqual(['silent']);
    await open('127.0.0.3');
    await expect.poll(() => closed).toEqual(['silent', 'idle']);
  });

  it('busy ones give way to an address that has far fewer, and to none of their own', async () => {
    const connections = await serve(4);
    const crowd: Socket[] = [];
    for (let index = 0; index < 4; index++) {
      const socket = await open('127.0.0.2');
      connections.serve(peerOf(socket), new EventEmitter());
      crowd.push(socket);
    }
    const surplus = await open('127.0.0.2');
    await expect.poll(() => surplus.destroyed).toBe(true);
    expect(crowd.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
    const newcomer = await open('127.0.0.1');
    await expect.poll(() => crowd.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
    expect(newcomer.destroyed).toBe(false);
  });
});
