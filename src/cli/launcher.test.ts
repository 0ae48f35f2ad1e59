import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode } from './child-process.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../bin/cairn.js');

/** Prints how many MiB it grew to. */
const FILLS_YOUNG_GENERATION = `
const { getHeapSpaceStatistics } = require('node:v8');
const kept = [];
let most = 0;
for (let round = 0; round < 200; round++) {
  kept.push(Array.from({ length: 20_000 }, (_, number) => ({ number })));
  if (kept.length > 12) kept.shift();
  most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
}
console.log(most / 2 ** 20);`;

describe('the launcher', () => {
  /** The launcher as an installed package has it: beside a bundle, without sources. */
  const folder = mkdtempSync(join(tmpdir(), 'cairn-launcher-'));
  const installed = join(folder, 'bin', 'cairn.js');
  const PRINTS_ARGUMENTS = "console.log('bundle', process.argv.slice(2).join(' '));";
  /** Makes Node say that it is another version; the launcher decides by nothing else. */
  const pretend = (version: string) => {
    const file = join(folder, `node-${version}.js`);
    writeFileSync(file, `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`);
    return ['--import', pathToFileURL(file).href];
  };

  beforeAll(() => {
    cpSync(LAUNCHER, installed);
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'dist', 'main.js'), PRINTS_ARGUMENTS);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs the bundle with the arguments', async () => {
    const { exitCode, stdout } = await startNode([installed, 'serve', '--port', '1']).finished;
    expect([exitCode, stdout]).toEqual([0, 'bundle serve --port 1\n']);
  });

  it.runIf(process.platform === 'linux')(
    'starts a server, and nothing else, with small heaps and an allocator that gives back',
    async () => {
      const print =
        "console.log(process.execArgv.join(' '), process.env.MALLOC_ARENA_MAX, process.env.MALLOC_TRIM_THRESHOLD_);";
      writeFileSync(join(folder, 'dist', 'main.js'), print);
      try {
        const environment = { MALLOC_ARENA_MAX: '7' };
        const [server, command] = await Promise.all([
          startNode([installed, 'serve'], environment).finished,
          startNode([installed, 'doctor'], environment).finished,
        ]);
        expect(server.stdout).toBe('--max-semi-space-size=8 7 1048576\n');
        expect(command.stdout).toBe(' 7 undefined\n');
      } finally {
        writeFileSync(join(folder, 'dist', 'main.js'), PRINTS_ARGUMENTS);
      }
    },
  );

  it.runIf(process.platform === 'linux')(
    'lets threads of a server have young generations of the sizes they are given',
    async () => {
      writeFileSync(
        join(folder, 'dist', 'main.js'),
        `import { Worker } from 'node:worker_threads';
      for (const maxYoungGenerationSizeMb of [12, 48]) {
        new Worker(${JSON.stringify(FILLS_YOUNG_GENERATION)}, { eval: true, resourceLimits: { maxYoungGenerationSizeMb } });
      }`,
      );
      try {
        const { stdout } = await startNode([installed, 'serve']).finished;
        const [small, large] = stdout
          .trim()
          .split('\n')
          .map(Number)
          .toSorted((a, b) => a - b);
        expect(small).toBeLessThanOrEqual(12);
        expect(large).toBeGreaterThan(24);
      } finally {
        writeFileSync(join(folder, 'dist', 'main.js'), PRINTS_ARGUMENTS);
      }
    },
  );

  it('keeps compiled code where only the user can write, and runs where nothing can be kept', async () => {
    const bundle = join(folder, 'dist', 'main.js');
    const cache = join(folder, 'cache');
    const run = (caches: string) => startNode([installed], { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: '' }).finished;
    expect(await run(cache)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(cache, 'cairn', 'compiled'))).toHaveLength(1);
    expect(statSync(join(cache, 'cairn', 'compiled')).mode & 0o077).toBe(0);
    expect(await run(bundle)).toMatchObject({ exitCode: 0, stdout: 'bundle \n' });
  });

  it('leaves an older Node before it loads anything, with one line and the command that works', async () => {
    const [asPackage, asCheckout] = await Promise.all([
      startNode([...pretend('20.20.2'), installed, 'serve']).finished,
      startNode([...pretend('20.20.2'), LAUNCHER, 'serve']).finished,
    ]);
    expect(asPackage).toMatchObject({ exitCode: 1, stdout: '' });
    const [, carrier, command] =
      /^Cairn needs Node 24\.7, and this is 20\.20\.2\. This brings the right one: npx -y -p (\S+) -- (.*)\n$/.exec(
        asPackage.stderr,
      ) ?? [];
    expect(carrier).toMatch(/^node[a-z0-9-]*@2\d$/);
    expect(command).toBe(`node ${installed} serve`);
    expect(asCheckout.stderr).toMatch(/This brings the right one: npm run cairn -- serve\n$/);
  });

  it('counts the second number too', async () => {
    const [before, since, next] = await Promise.all(
      ['24.6.0', '24.7.0', '25.0.0'].map((version) => startNode([...pretend(version), installed]).finished),
    );
    expect(before).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^Cairn needs Node 24\.7, and this is 24\.6\.0\./),
    });
    expect([since?.exitCode, next?.exitCode]).toEqual([0, 0]);
  });
});
