/**
 * Honest exporters beside thousands of connections that say nothing, thousands of requests that announce a body and do
 * not send it, and one address that fills the room with bodies whose end is slow to come: `npm run crowd`. It ends with code 1 where
 * one of the honest is refused, or 1 % of them wait longer than a second.
 * @see docs/reliability.md
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ClientList } from '../test/durability/client-list.ts';
import { type Exporter, openGrpcExporter, openHttpExporter } from '../test/durability/exporter.ts';
import { startServerProcess, type ServerProcess } from '../test/harness/server-process.ts';
import { randomNumbers } from '../test/traffic/random.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const WANTED_P99_MS = 1000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    silent: { type: 'string', default: '5000' },
    announcing: { type: 'string', default: '4200' },
    honest: { type: 'string', default: '10' },
    greedy: { type: 'string', default: '120' },
  },
});

/** Of each body that is slow to come: all of them together are more than there is room for. */
const GREEDY_BYTES = 1024 * 1024;

let isOver = false;

const folder = mkdtempSync(join(tmpdir(), 'cairn-crowd-'));
const server = await startServerProcess(folder);
try {
  const leave = await gather(server);
  const runs = { HTTP: openHttpExporter, gRPC: openGrpcExporter };
  for (const [name, times] of await Promise.all(
    Object.entries(runs).map(async ([name, open], place) => [name, await sendHonestly(open, place)] as const),
  )) {
    times.sort((one, other) => one - other);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    const p50 = times[Math.floor(times.length / 2)];
    console.log(`${name}: ${times.length} requests, p50 ${p50?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    if (p99 > WANTED_P99_MS) process.exitCode = 1;
  }
  leave();
} finally {
  await server.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** Half of the crowd comes to each port, from addresses of its own; returns what sends it away. */
async function gather({ url, grpcAddress }: ServerProcess): Promise<() => void> {
  const ports = { http: Number(new URL(url).port), grpc: Number(grpcAddress.split(':')[1]) };
  const sockets: Socket[] = [];
  const sessions: ClientHttp2Session[] = [];
  const open = async (port: number, localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  for (let index = 0; index < Number(values.silent) / 2; index++) {
    await Promise.all([open(ports.http, '127.0.0.2'), open(ports.grpc, '127.0.0.2')]);
  }
  for (let index = 0; index < Number(values.announcing); index++) {
    const socket = await open(ports.http, '127.0.0.3');
    socket.write(
      'POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: 16384\r\n\r\n',
    );
  }
  for (let index = 0; index < Number(values.announcing); index++) {
    if (index % 100 === 0) {
      const socket = await open(ports.grpc, '127.0.0.3');
      const session = connectHttp2(`http://${grpcAddress}`, { createConnection: () => socket });
      sessions.push(session.on('error', () => undefined));
    }
    const headers = { ':method': 'POST', ':path': EXPORT, 'content-type': 'application/grpc' };
    const call = sessions
      .at(-1)
      ?.request(headers)
      .on('error', () => undefined);
    call?.write(Buffer.from([0, 0, 0, 0x40, 0]));
  }
  const fillRoom = async () => {
    const socket = await open(ports.http, '127.0.0.4');
    socket.write(
      `POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: ${GREEDY_BYTES}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(GREEDY_BYTES - 100_000));
    const dripping = setInterval(() => socket.write('x'), 500);
    // Refused, it comes again at once.
    socket.resume().once('close', () => {
      clearInterval(dripping);
      if (!isOver) void fillRoom();
    });
  };
  for (let index = 0; index < Number(values.greedy); index++) await fillRoom();
  return () => {
    isOver = true;
    for (const session of sessions) session.destroy();
    for (const socket of sockets) socket.destroy();
  };
}

/** What each request of the honest took. */
async function sendHonestly(open: (at: ServerProcess) => Exporter, place: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + 1000 * Number(values.seconds);
  const count = Number(values.honest);
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const number = place * count + index;
      const client = new ClientList(number, randomNumbers(number));
      const exporter = open(server);
      while (performance.now() < until) {
        const startedAt = performance.now();
        const ending = await exporter.send(client.next());
        times.push(performance.now() - startedAt);
        if (ending === 'acknowledged') client.acknowledge();
        else {
          console.log(ending);
          process.exitCode = 1;
        }
      }
      exporter.close();
    }),
  );
  return times;
}
