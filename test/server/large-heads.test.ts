/** Connections that send large heads of requests, and go no further, make way for others before the memory is gone. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { get as getOverTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let crowd: Socket[];
/** Those of the crowd that were told something, such as that their time is over. */
let answered: Set<Socket>;

const TLS = join(import.meta.dirname, '../fixtures/tls');
const ca = readFileSync(join(TLS, 'authority.pem'));
const SETTINGS = { MAX_MEMORY_MIB: '256', OTLP_HTTP_PORT: '0' };
const SETTINGS_OF_TLS = {
  ...SETTINGS,
  TLS_ENABLED: 'true',
  TLS_CERT_FILE: join(TLS, 'server-certificate.pem'),
  TLS_KEY_FILE: join(TLS, 'server-key.pem'),
};

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

/** Fewer than the connections that the server keeps. */
const CROWD = 40;
const HEAD = `POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\n${Array.from({ length: 900 }, (_, index) => `x-${index}: ${'a'.repeat(55)}\r\n`).join('')}`;

afterEach(async () => {
  for (const socket of crowd) socket.destroy();
  await server[Symbol.asyncDispose]();
});

/** What an honest client of another address is answered. */
async function ask(headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const options = { localAddress: '127.0.0.2', agent: false, headers, ca } as const;
  const url = new URL('/v1/projects', server.url);
  const asked = url.protocol === 'https:' ? getOverTls(url, options) : get(url, options);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode;
}

async function comeTo(url: string): Promise<Socket> {
  const to = { host: '127.0.0.1', port: Number(new URL(url).port) };
  const isTls = url.startsWith('https:');
  const socket = isTls ? connectTls({ ...to, ca }) : connect(to);
  crowd.push(socket.on('error', () => undefined).on('data', () => answered.add(socket)));
  await once(socket, isTls ? 'secureConnect' : 'connect');
  return socket;
}

describe('of a crowd that sends large heads', () => {
  it.each([
    ['without their end', SETTINGS, 'httpUrl', ''],
    ['without their end, over TLS', SETTINGS_OF_TLS, 'httpUrl', ''],
    ['without their end, to the port of exporters', SETTINGS, 'otlpHttpUrl', ''],
    ['and no body', SETTINGS, 'httpUrl', 'content-length: 1000\r\n\r\n'],
  ] as const)('%s, most are cut off, while another address is served', async (_, settings, port, rest) => {
    [crowd, answered] = [[], new Set()];
    server = await startTestServer(settings);
    for (let count = 0; count < CROWD; count++) {
      (await comeTo(server.server[port] ?? '')).write(HEAD + rest);
      if (count % 10 === 0) expect(await ask({ 'x-large': 'x'.repeat(60_000) })).toBe(200);
    }
    // 64 MiB are spare: the share of each of two ports has room for eight such heads.
    await expect
      .poll(() => crowd.filter((each) => each.destroyed && !answered.has(each)).length)
      .toBeGreaterThan(CROWD - 10);
    expect(await ask()).toBe(200);
  });

  it('over gRPC, with many calls on each connection, most are cut off, while another address is served', async () => {
    [crowd, answered] = [[], new Set()];
    server = await startTestServer(SETTINGS);
    const headers = {
      ':method': 'POST',
      ':path': EXPORT,
      'content-type': 'application/grpc',
      'x-large': 'x'.repeat(9000),
    };
    const port = Number(server.server.grpcAddress.split(':').at(-1));
    const sessions: ClientHttp2Session[] = [];
    for (let count = 0; count < CROWD; count++) {
      const createConnection = () => connect({ host: '127.0.0.1', port, localAddress: '127.0.0.3' });
      const session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection });
      sessions.push(session.on('error', () => undefined));
      await once(session, 'remoteSettings');
      for (let call = 0; call < (session.remoteSettings.maxConcurrentStreams ?? 0); call++) {
        session.request(headers).on('error', () => undefined);
      }
      if (count % 10 === 0) expect(await ask()).toBe(200);
    }
    // The share of 64 MiB has room for five such connections.
    await expect.poll(() => sessions.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(CROWD - 10);
    for (const session of sessions) session.destroy();
  });
});
