import { copyFileSync, linkSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, credentials, Metadata, status as grpcStatus } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { spanId, traceBody } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer } from '../harness/server.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const { UNAUTHENTICATED } = grpcStatus;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('with TLS', () => {
  const settings = {
    TLS_ENABLED: 'true',
    TLS_CERT_FILE: fixture('server-certificate.pem'),
    TLS_KEY_FILE: fixture('server-key.pem'),
  };
  const ca = read('authority.pem');

  it('both listeners speak it and nothing else', async () => {
    await using server = await startTestServer(settings);
    expect(server.url).toMatch(/^https:/);
    expect(await status(`${server.url}/healthz`, { ca })).toBe(200);
    expect(await speakInClear(server.url)).not.toContain('HTTP/');
    await callGrpc(server.grpcAddress, credentials.createSsl(ca));
    await expect(callGrpc(server.grpcAddress, credentials.createInsecure())).rejects.toThrow();
  });

  it.each([
    ['HTTP', { TLS_ENABLED: 'false', TLS_ENABLED_FOR_HTTP: 'true' }],
    ['HTTP', { TLS_ENABLED_FOR_GRPC: 'false' }],
    ['gRPC', { TLS_ENABLED: 'false', TLS_ENABLED_FOR_GRPC: 'true' }],
    ['gRPC', { TLS_ENABLED_FOR_HTTP: 'false' }],
  ])('%s alone speaks it where it is turned on for that alone: %o', async (which, switches) => {
    await using server = await startTestServer({ ...settings, ...switches });
    const isHttp = which === 'HTTP';
    expect(server.url.startsWith('https:')).toBe(isHttp);
    if (isHttp) expect(await status(`${server.url}/healthz`, { ca })).toBe(200);
    else expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await callGrpc(server.grpcAddress, isHttp ? credentials.createInsecure() : credentials.createSsl(ca));
    await expect(
      callGrpc(server.grpcAddress, isHttp ? credentials.createSsl(ca) : credentials.createInsecure()),
    ).rejects.toThrow();
  });

  it('clients must show a certificate where that is demanded, on all ports', async () => {
    const mutual = { ...settings, TLS_VERIFY_CLIENT: 'true', TLS_CA_FILE: fixture('authority.pem') };
    await using server = await startTestServer({ ...mutual, OTLP_HTTP_PORT: '0' });
    const [cert, key] = [read('client-certificate.pem'), read('client-key.pem')];
    for (const url of [`${server.url}/healthz`, `${server.server.otlpHttpUrl}/v1/traces`]) {
      expect(await status(url, { ca, cert, key })).toBe(url.endsWith('/healthz') ? 200 : 405);
      await expect(status(url, { ca })).rejects.toThrow();
      expect(await speakInClear(url)).not.toContain('HTTP/');
    }
    await callGrpc(server.grpcAddress, credentials.createSsl(ca, key, cert));
    await expect(callGrpc(server.grpcAddress, credentials.createSsl(ca))).rejects.toThrow();
    await expect(callGrpc(server.grpcAddress, credentials.createInsecure())).rejects.toThrow();
  });

  it('a certificate stands beside a key, and does not replace it', async () => {
    const mutual = { ...settings, TLS_VERIFY_CLIENT: 'true', TLS_CA_FILE: fixture('authority.pem') };
    await using server = await startTestServer({ ...mutual, ...ASKING });
    const shown = { ca, cert: read('client-certificate.pem'), key: read('client-key.pem') };
    expect(await status(`${server.url}/v1/projects`, shown)).toBe(401);
    expect(await status(`${server.url}/v1/projects`, { ...shown, headers: AS_ADMIN })).toBe(200);
    await expect(status(`${server.url}/v1/projects`, { ca, headers: AS_ADMIN })).rejects.toThrow();
    const channel = () => credentials.createSsl(ca, shown.key, shown.cert);
    await expect(callGrpc(server.grpcAddress, channel())).rejects.toMatchObject({ code: UNAUTHENTICATED });
    await callGrpc(server.grpcAddress, channel(), AS_ADMIN);
    await expect(callGrpc(server.grpcAddress, credentials.createSsl(ca), AS_ADMIN)).rejects.toThrow();
  });

  it('a certificate that nobody trusted has signed is none', async () => {
    const mutual = { ...settings, TLS_VERIFY_CLIENT: 'true', TLS_CA_FILE: fixture('client-certificate.pem') };
    await using server = await startTestServer(mutual);
    const [cert, key] = [read('server-certificate.pem'), read('server-key.pem')];
    await expect(status(`${server.url}/healthz`, { ca, cert, key })).rejects.toThrow();
    await expect(callGrpc(server.grpcAddress, credentials.createSsl(ca, key, cert))).rejects.toThrow();
  });
});

describe('the port of metrics', () => {
  it('answers metrics to every caller, and nothing else', async () => {
    await using server = await startTestServer({ METRICS_PORT: '0' });
    const url = server.server.metricsUrl ?? '';
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    expect(await response.text()).toContain('cairn_memory_taken_bytes');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    for (const path of [
      '/',
      '/metrics/',
      '/healthz',
      '/v1/projects',
      '/v1/traces',
      '/graphql',
      '/docs',
      '/auth/login',
    ]) {
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
  });

  it('is not there until it is named, and listens where it is said', async () => {
    await using server = await startTestServer();
    expect(server.server.metricsUrl).toBeNull();
    const elsewhere = startTestServer({ METRICS_PORT: '0', METRICS_HOST: '203.0.113.1' });
    await expect(elsewhere).rejects.toThrow(/for metrics on 203\.0\.113\.1 .*SERVICE_METRICS_HOST/);
  });
});

describe('the second OTLP port', () => {
  it('takes traces and has no other route', async () => {
    await using server = await startTestServer({ OTLP_HTTP_PORT: '0' });
    const url = server.server.otlpHttpUrl as string;
    const body = traceBody([{ spanId: spanId(1) }]);
    const sent = await fetch(`${url}/v1/traces`, { method: 'POST', headers: JSON_TYPE, body });
    expect(sent.status).toBe(200);
    expect((await fetch(`${url}/v1/projects`)).status).toBe(404);
    const { data } = await getJson<{ data: unknown[] }>(`${server.url}/v1/projects/default/spans`);
    expect(data).toHaveLength(1);
  });
});

describe('a root path', () => {
  it('is in the address, and both with it and without it everything answers', async () => {
    await using server = await startTestServer({ HOST_ROOT_PATH: '/tools/cairn' });
    expect(server.url).toMatch(/\/tools\/cairn$/);
    const body = traceBody([{ spanId: spanId(1) }]);
    const sent = await fetch(`${server.url}/v1/traces`, { method: 'POST', headers: JSON_TYPE, body });
    expect(sent.status).toBe(200);
    const { data } = await getJson<{ data: unknown[] }>(`${new URL(server.url).origin}/v1/projects/default/spans`);
    expect(data).toHaveLength(1);
    expect((await fetch(`${server.url}/docs`)).headers.get('content-type')).toContain('text/html');
  });
});

describe('a port in use', () => {
  it.each([
    ['PORT', '--port or '],
    ['GRPC_PORT', '--grpc-port or '],
    ['OTLP_HTTP_PORT', ''],
    ['METRICS_PORT', ''],
  ])(
    'stops the start before anything is created, with one line that names SERVICE_%s and its flag',
    async (name, flag) => {
      const folder = createTestFolder('taken-port');
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const start = startTestServer({ [name]: String(port), WORKING_DIR: join(folder, 'data') });
      await expect(start).rejects.toMatchObject({
        code: 'failed_precondition',
        message: expect.stringMatching(new RegExp(`^Port ${port} .* is in use: .* with ${flag}SERVICE_${name}\\.$`)),
      });
      expect(readdirSync(folder)).toEqual([]);
      removeTestFolder(folder);
      taken.close();
      await once(taken, 'close');
    },
  );
});

describe('a folder that another server uses', () => {
  it('stops the start with one line that names the other process', async () => {
    await using server = await startTestServer();
    const second = startTestServer({ WORKING_DIR: server.folder });
    await expect(second).rejects.toThrow(`Another Cairn (process ${process.pid}) uses`);
  });

  it('is not to be had by another name of its data file, and a copy of it is', { timeout: 240_000 }, async () => {
    await using server = await startTestServer();
    const file = join(server.folder, 'cairn.db');
    const elsewhere = createTestFolder('link');
    linkSync(file, join(elsewhere, 'cairn.db'));
    await expect(startTestServer({ WORKING_DIR: elsewhere })).rejects.toThrow(/has 2 names \(hard links\)/);
    rmSync(join(elsewhere, 'cairn.db'));
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, join(elsewhere, `cairn.db${suffix}`));
    const copy = await startTestServer({ WORKING_DIR: elsewhere });
    await copy[Symbol.asyncDispose]();
    removeTestFolder(elsewhere);
  });
});

function fixture(name: string): string {
  return new URL(`../fixtures/tls/${name}`, import.meta.url).pathname;
}

function read(name: string): Buffer {
  return readFileSync(fixture(name));
}

async function status(url: string, options: RequestOptions): Promise<number | undefined> {
  const request = get(url, { ...options, agent: false });
  const [response] = (await once(request, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

/** What a client without TLS is answered. */
async function speakInClear(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return text(socket);
}

/** Sends an empty export. */
async function callGrpc(
  address: string,
  channel: ReturnType<typeof credentials.createSsl>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const client = new Client(address.replace('127.0.0.1', 'localhost'), channel);
  try {
    await new Promise<void>((resolve, reject) => {
      const same = (bytes: Buffer) => bytes;
      const deadline = Date.now() + 5000;
      const metadata = Metadata.fromHttp2Headers({ ...headers });
      client.makeUnaryRequest(EXPORT, same, same, Buffer.alloc(0), metadata, { deadline }, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  } finally {
    client.close();
  }
}
