import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPorts } from './ports.ts';

const servers: Server[] = [];
async function occupy(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function config(
  ports: { http?: number; grpc?: number; otlpHttp?: number; metrics?: number },
  addresses: [string, ...string[]],
) {
  return {
    addresses,
    http: { port: ports.http ?? 0, tls: null },
    grpc: { port: ports.grpc ?? 0, tls: null },
    otlpHttp: ports.otlpHttp === undefined ? null : { port: ports.otlpHttp, tls: null },
    metrics: ports.metrics === undefined ? null : { port: ports.metrics, addresses },
  };
}

describe('the check of the ports', () => {
  it('finds free ones free, and asks about the second one for OTLP only when it is on', async () => {
    const port = await occupy();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const findings = await checkPorts(config({ http: port }, ['127.0.0.1']), undefined);
    expect(findings).toEqual([
      { check: 'HTTP port', status: 'ok', message: `${port} is free` },
      { check: 'gRPC port', status: 'ok', message: '0, so the server takes any free port' },
    ]);
    expect(await checkPorts(config({ otlpHttp: 0 }, ['127.0.0.1']), undefined)).toHaveLength(3);
  });

  it('names the variable of each port that is in use', async () => {
    const ports = { http: await occupy(), grpc: await occupy(), otlpHttp: await occupy(), metrics: await occupy() };
    const findings = await checkPorts(config(ports, ['127.0.0.1']), undefined);
    expect(findings.map(({ status, message }) => [status, message])).toEqual(
      Object.values(ports).map((port) => ['problem', `${port} is in use on 127.0.0.1`]),
    );
    const variables = ['SERVICE_PORT', 'SERVICE_GRPC_PORT', 'SERVICE_OTLP_HTTP_PORT', 'SERVICE_METRICS_PORT'];
    expect(findings.map(({ repair }) => repair?.match(/SERVICE_\w+/)?.[0])).toEqual(variables);
  });

  // macOS has one loopback address of version 4 alone.
  it.skipIf(process.platform === 'darwin')('looks at every address', async () => {
    const findings = await checkPorts(
      config({ http: await occupy('127.0.0.2') }, ['127.0.0.1', '127.0.0.2']),
      undefined,
    );
    expect(findings[0]?.message).toMatch(/in use on 127\.0\.0\.2$/);
  });

  it('expects them to be in use while a server has the data', async () => {
    const [finding] = await checkPorts(config({ http: await occupy() }, ['127.0.0.1']), 'process 4711');
    expect(finding?.status).toBe('ok');
    expect(finding?.message).toContain('(process 4711)');
  });

  it('says which ports it looked at, and why, where the server with the data has others', async () => {
    const port = await occupy();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const ports = config({ http: port, metrics: port }, ['127.0.0.1']);
    const [http, , metrics] = await checkPorts(ports, 'process 4711');
    expect(http).toEqual({
      check: 'HTTP port',
      status: 'ok',
      message: `${port} is free: the running server (process 4711) was started with another port`,
      repair: expect.stringMatching(
        new RegExp(`^${port} comes from --port or SERVICE_PORT, or is its default\\. To check`),
      ),
    });
    expect(metrics?.repair).toMatch(/comes from SERVICE_METRICS_PORT, or/);
  });

  it('needs the first address, and takes the others where the machine has them', async () => {
    // 192.0.2.0/24 is set apart for documentation, so no machine has it.
    const [first] = await checkPorts(config({}, ['192.0.2.1']), undefined);
    expect(first).toMatchObject({ status: 'problem', message: '192.0.2.1 is not an address of this machine' });
    const [second] = await checkPorts(config({}, ['127.0.0.1', '192.0.2.1']), undefined);
    expect(second?.status).toBe('ok');
  });
});
