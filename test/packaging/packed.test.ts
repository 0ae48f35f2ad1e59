/**
 * The published package as its user gets it: packed, installed somewhere else without the checkout, started, used, stopped. Every command is
 * the image's own, out of docs/deploy/Dockerfile, with other folders and ports.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAULT_POINTS, FAULTS_VARIABLE } from '../durability/fault-points.ts';
import { findFreePort } from '../harness/free-port.ts';
import { environmentOf, readStages, textsOf, wordsOf } from '../harness/dockerfile.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'docs/deploy');
const [build, image] = readStages(new URL('../../docs/deploy/Dockerfile', import.meta.url));
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

describe.skipIf(process.platform === 'win32')('the packed package', () => {
  let folder: string;
  let installed: string;

  /** The image's text with the places of this machine in place of its own. */
  const here = (text: string) =>
    text
      .replaceAll('/tmp', folder)
      .replaceAll('/opt/cairn', join(folder, 'app'))
      .replaceAll('/data', join(folder, 'data'));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-packed-'));
    for (const command of textsOf(build, 'RUN')) {
      execFileSync('sh', ['-c', here(command)], { cwd: ROOT, stdio: 'pipe' });
    }
    installed = join(folder, 'app/lib/node_modules/cairn');
  }, INSTALL_TIMEOUT_MS);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds the program and its README, and nothing else of the checkout', () => {
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'bin', 'dist', 'node_modules', 'package.json']);
    const dist = readdirSync(join(installed, 'dist'));
    expect(dist).toEqual(expect.arrayContaining(['main.js', 'writer-thread.js', 'reader-thread.js', 'ui']));
    expect(readFileSync(join(installed, 'dist/ui/LICENSES.md'), 'utf8')).toContain('MIT License');
    expect(dist.filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('holds no name of a point where a fault can be put', () => {
    const names = [...Object.keys(FAULT_POINTS), FAULTS_VARIABLE];
    const texts = globSync('{bin,dist}/**/*.{js,map}', { cwd: installed }).map((file) =>
      readFileSync(join(installed, file), 'utf8'),
    );
    expect(texts.length).toBeGreaterThan(5);
    expect(names.filter((name) => texts.some((text) => text.includes(name)))).toEqual([]);
  });

  it('serves: a trace sent to it is read back, and SIGTERM ends it with 0', async () => {
    const [port, grpcPort] = [await findFreePort(), await findFreePort()];
    const url = `http://127.0.0.1:${port}`;
    const { PATH = '', ...settings } = environmentOf(image);
    const env = {
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, here(value)])),
      PATH: here(PATH).replace('$PATH', [dirname(process.execPath), process.env['PATH']].join(delimiter)),
      HOME: folder,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: String(port),
      SERVICE_GRPC_PORT: String(grpcPort),
    };
    const [program = '', ...words] = [...textsOf(image, 'ENTRYPOINT'), ...textsOf(image, 'CMD')].flatMap(wordsOf);
    const [asker = '', ...question] = wordsOf(textsOf(image, 'HEALTHCHECK')[0]);
    const isHealthy = () => spawnSync(asker, question, { env }).status === 0;
    const server = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
    try {
      await waitUntilReady(url, server);
      expect(isHealthy()).toBe(true);
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
      expect(isHealthy()).toBe(false);
    } finally {
      server.kill('SIGKILL');
    }
  });

  const machineNode = process.env['CAIRN_TEST_MACHINE_NODE'] ?? process.execPath;
  const machineVersion = execFileSync(machineNode, ['--version'], { encoding: 'utf8' }).trim();
  const isTooOld = Number.parseInt(machineVersion.slice(1), 10) < 24;

  it.skipIf(!isTooOld)(`tells the machine's own Node ${machineVersion} in one line what to do`, () => {
    const bin = join(installed, 'bin/cairn.js');
    const { status, stdout, stderr } = spawnSync(machineNode, [bin, 'serve'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/Node 24.*npx /)]);
  });

  it.skipIf(!isTooOld)(`is not installed with the machine's own Node ${machineVersion}`, () => {
    const env = { PATH: [dirname(machineNode), process.env['PATH']].join(delimiter) };
    const args = [join(DEPLOY, 'install.sh'), 'none.tgz', join(folder, 'other')];
    const { status, stderr } = spawnSync('sh', args, { env, encoding: 'utf8' });
    expect({ status, lines: stderr.trim().split('\n') }).toEqual({
      status: 1,
      lines: [expect.stringContaining(`needs Node 24.7 or newer; on the PATH is: ${machineVersion}`)],
    });
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

  it.skipIf(!hasSystemd)('is what the unit of systemd starts, in which systemd finds no fault', () => {
    const unit = join(folder, 'cairn.service');
    writeFileSync(unit, here(readFileSync(join(DEPLOY, 'cairn.service'), 'utf8')));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
