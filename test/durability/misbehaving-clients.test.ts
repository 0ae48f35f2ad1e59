import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { ClientList } from './client-list.ts';
import { type Exporter, openGrpcExporter, openHttpExporter } from './exporter.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareWithLists } from './stored-spans.ts';

/** Of each of two clients that behave, in each test. */
const REQUESTS = orInLongRun(25, 75);

/** Whoever waits for those that send nothing waits until the server gives them up: 20 s for headers, 90 s for a request. */
const MAX_P99_MS = 10_000;

let folder: string;
let server: ServerProcess;
let sockets: Socket[];

const GAVE_WAY = /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*other clients needed the room/;

/** All that have behaved so far. */
const behaved: ClientList[] = [];

beforeAll(async () => {
  folder = createTestFolder('misbehaving');
  server = await startServerProcess(folder);
});

afterAll(async () => {
  await server.end('SIGKILL');
  removeTestFolder(folder);
});

beforeEach(() => {
  sockets = [];
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

describe('others notice nothing of', () => {
  it('a thousand connections on which nothing is sent', async () => {
    const grpcPort = Number(server.grpcAddress.split(':')[1]);
    await Promise.all(Array.from({ length: 500 }, () => Promise.all([open(), open(grpcPort)])));
    await expectUndisturbed();
  });

  it('more silent connections than the server keeps for gRPC, and thousands that only announce a body', async () => {
    const grpcPort = Number(server.grpcAddress.split(':')[1]);
    await Promise.all(Array.from({ length: 1200 }, () => open(grpcPort, '127.0.0.2')));
    const announcing = await Promise.all(Array.from({ length: 4200 }, () => open(undefined, '127.0.0.3')));
    for (const socket of announcing) socket.write(head(16_384));
    await expectUndisturbed();
  });

  it.each([
    ['a client that sends', 1, 64 * 1024 * 1024],
    ['two hundred clients that send', 200, 1024 * 1024],
  ])('%s a byte a second of a large body', async (_, count, declaredBytes) => {
    const slow = await Promise.all(Array.from({ length: count }, () => open()));
    for (const socket of slow) socket.write(`${head(declaredBytes)}x`);
    const dripping = setInterval(() => {
      for (const socket of slow) socket.write('x');
    }, 1000);
    await expectUndisturbed();
    clearInterval(dripping);
    expect(slow.filter((socket) => socket.destroyed)).toEqual([]);
  });

  it('an address that fills all room with bodies, of which the end does not come', async () => {
    const told: string[] = [];
    const stopInside = async (count: number, bytes: number) => {
      const slow = await Promise.all(Array.from({ length: count }, () => open(undefined, '127.0.0.4')));
      for (const socket of slow) {
        const place = told.push('') - 1;
        socket.on('data', (chunk: Buffer) => {
          told[place] += chunk.toString();
        });
        socket.write(head(bytes + 1) + 'x'.repeat(bytes));
      }
    };
    // First large ones, until there is no room for another, then small ones for what the refused large ones leave.
    await stopInside(1150, 59_000);
    const largeCount = told.length;
    await stopInside(1000, 1000);
    await expect.poll(() => told.slice(largeCount).join('')).toContain('at capacity');
    await expectUndisturbed();
    await expect.poll(() => told.filter((answer) => GAVE_WAY.test(answer)).length).toBeGreaterThan(0);
  }, 120_000);

  it('bodies that are cut off in the middle', async () => {
    let isOver = false;
    let cutOff = 0;
    const cutting = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const socket = await open();
        await new Promise((resolve) => socket.write(`${head(100_000)}${'x'.repeat(50_000)}`, resolve));
        socket.resetAndDestroy();
        cutOff++;
      }
    });
    await expectUndisturbed();
    isOver = true;
    await Promise.all(cutting);
    expect(cutOff).toBeGreaterThan(10);
    expect(server.output()).not.toContain('"level":"error"');
  });
});

/** Two clients that behave are served as if they were alone. */
async function expectUndisturbed(): Promise<void> {
  const clients = [0, 1].map((client) => new ClientList(behaved.length + client, randomNumbers(client)));
  behaved.push(...clients);
  const exporters: readonly Exporter[] = [openHttpExporter(server), openGrpcExporter(server)];
  const took: number[] = [];
  await Promise.all(
    clients.map(async (client, place) => {
      for (let request = 0; request < REQUESTS; request++) {
        const before = performance.now();
        expect(await exporters[place]?.send(client.next())).toBe('acknowledged');
        client.acknowledge();
        took.push(performance.now() - before);
      }
    }),
  );
  for (const exporter of exporters) exporter.close();
  took.sort((a, b) => a - b);
  expect(took[Math.floor(took.length * 0.99)]).toBeLessThan(MAX_P99_MS);
  expect(compareWithLists(join(folder, 'cairn.db'), behaved)).toEqual({ lost: [], twice: [], wrong: [] });
}

async function open(port = Number(new URL(server.url).port), localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  // Being cut off is part of what these clients do.
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

function head(contentLength: number): string {
  return [
    'POST /v1/traces HTTP/1.1',
    'host: localhost',
    'content-type: application/x-protobuf',
    `content-length: ${contentLength}`,
    '\r\n',
  ].join('\r\n');
}
