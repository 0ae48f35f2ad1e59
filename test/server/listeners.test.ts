import { readFileSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { credentials, Client } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { spanId, traceBody } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer } from '../harness/server.ts';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
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
    await expect(fetch(`${server.url.replace('https:', 'http:')}/healthz`)).rejects.toThrow();
    await callGrpc(server.grpcAddress, credentials.createSsl(ca));
    await expect(callGrpc(server.grpcAddress, credentials.createInsecure())).rejects.toThrow();
  });

  it('clients must show a certificate where that is demanded', async () => {
    const mutual = { ...settings, TLS_VERIFY_CLIENT: 'true', TLS_CA_FILE: fixture('authority.pem') };
    await using server = await startTestServer(mutual);
    const [cert, key] = [read('client-certificate.pem'), read('client-key.pem')];
    expect(await status(`${server.url}/healthz`, { ca, cert, key })).toBe(200);
    await expect(status(`${server.url}/healthz`, { ca })).rejects.toThrow();
    await callGrpc(server.grpcAddress, credentials.createSsl(ca, key, cert));
    await expect(callGrpc(server.grpcAddress, credentials.createSsl(ca))).rejects.toThrow();
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
  it.each(['PORT', 'GRPC_PORT', 'OTLP_HTTP_PORT'])(
    'stops the start with one line that names SERVICE_%s',
    async (name) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const start = startTestServer({ [name]: String(port) });
      await expect(start).rejects.toMatchObject({
        code: 'failed_precondition',
        message: expect.stringMatching(new RegExp(`^Port ${port} .* is in use: .*SERVICE_${name}\\.$`)),
      });
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

/** Sends an empty export. */
async function callGrpc(address: string, channel: ReturnType<typeof credentials.createSsl>): Promise<void> {
  const client = new Client(address.replace('127.0.0.1', 'localhost'), channel);
  try {
    await new Promise<void>((resolve, reject) => {
      const same = (bytes: Buffer) => bytes;
      const deadline = Date.now() + 5000;
      client.makeUnaryRequest(EXPORT, same, same, Buffer.alloc(0), { deadline } as never, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  } finally {
    client.close();
  }
}
