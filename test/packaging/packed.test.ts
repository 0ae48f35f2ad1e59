/** The published package as its user gets it: packed, installed somewhere else without the checkout, started, used, stopped. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAULT_POINTS, FAULTS_VARIABLE } from '../durability/fault-points.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const INSTALL_TIMEOUT_MS = 180_000;
const START_TIMEOUT_MS = 20_000;

const SPAN = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  name: 'sent to the packed server',
  kind: 1,
  startTimeUnixNano: '1790000000000000000',
  endTimeUnixNano: '1790000001000000000',
  attributes: [{ key: 'openinference.span.kind', value: { stringValue: 'CHAIN' } }],
};

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', [...args, '--loglevel=error'], { cwd, stdio: 'pipe', shell: process.platform === 'win32' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode} before it was ready`);
    const response = await fetch(`${url}/readyz`).catch(() => undefined); // nobody listens yet
    if (response?.ok) return;
    await delay(50);
  }
  throw new Error('the server was not ready in time');
}

describe('the packed package', () => {
  let folder: string;
  let installed: string;
  let bin: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-packed-'));
    mkdirSync(join(folder, 'app'));
    writeFileSync(join(folder, 'app/package.json'), '{"private": true}');
    npm(ROOT, 'pack', '--pack-destination', folder);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
    npm(join(folder, 'app'), 'install', join(folder, tarball), '--ignore-scripts', '--prefer-offline', '--no-audit');
    installed = join(folder, 'app/node_modules/cairn');
    bin = join(installed, 'bin/cairn.js');
  }, INSTALL_TIMEOUT_MS);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds the program and its README, and nothing else of the checkout', () => {
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'bin', 'dist', 'package.json']);
    const dist = readdirSync(join(installed, 'dist'));
    expect(dist).toEqual(expect.arrayContaining(['main.js', 'writer-thread.js', 'reader-thread.js', 'docs-ui', 'ui']));
    for (const pages of ['ui', 'graphiql']) {
      expect(readFileSync(join(installed, 'dist', pages, 'LICENSES.md'), 'utf8')).toContain('MIT License');
    }
    expect(readdirSync(join(installed, 'dist/docs-ui'))).toContain('LICENSE');
    expect(dist.filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('holds no name of a point where a fault can be put', () => {
    const names = [...Object.keys(FAULT_POINTS), FAULTS_VARIABLE];
    const texts = globSync('**/*.{js,map}', { cwd: installed }).map((file) =>
      readFileSync(join(installed, file), 'utf8'),
    );
    expect(texts.length).toBeGreaterThan(5);
    expect(names.filter((name) => texts.some((text) => text.includes(name)))).toEqual([]);
  });

  it('serves: a trace sent to it is read back, and SIGTERM ends it with 0', async () => {
    const [port, grpcPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const server = spawn(process.execPath, [bin, 'serve'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        SERVICE_PORT: String(port),
        SERVICE_GRPC_PORT: String(grpcPort),
        SERVICE_WORKING_DIR: join(folder, 'data'),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await waitUntilReady(url, server);
      const sent = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }),
      });
      expect(sent.status).toBe(200);

      const read = await fetch(`${url}/v1/projects/default/spans`);
      expect(await read.json()).toMatchObject({
        data: [{ name: SPAN.name, context: { trace_id: SPAN.traceId, span_id: SPAN.spanId } }],
      });

      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
    } finally {
      server.kill('SIGKILL');
    }
  });

  const machineNode = process.env['CAIRN_TEST_MACHINE_NODE'] ?? process.execPath;
  const machineVersion = execFileSync(machineNode, ['--version'], { encoding: 'utf8' }).trim();
  const isTooOld = Number.parseInt(machineVersion.slice(1), 10) < 24;

  it.skipIf(!isTooOld)(`tells the machine's own Node ${machineVersion} in one line what to do`, () => {
    const { status, stdout, stderr } = spawnSync(machineNode, [bin, 'serve'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/Node 24.*npx /)]);
  });
});
