/**
 * The program that tests run in threads and processes of its own: its bundle, as users run it, which starts in a third of the
 * time that the sources take. Made once for each state of the sources.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { hashSources } from '../../scripts/bootstrap/build.mjs';
import { bundleProgram } from '../../scripts/bundle/program.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BUNDLES = join(ROOT, 'node_modules/.cache/cairn-program');

/** Servers with other insides than `cairn serve`. */
const OTHERS = ['test/durability/compacting-server.ts'];

/**
 * Passwords are hashed by the same algorithm at a hundredth of its cost: people of tests sign in hundreds of times. What it costs
 * is held by the tests of the hashes and measured by `npm run bench:auth`; the built program is tested as it is.
 */
const CHEAP_PASSWORDS: Plugin = {
  name: 'cheap-passwords',
  transform(code, id) {
    if (!id.endsWith('/src/credentials/password-hashes.ts')) return null;
    const cheap = code.replace('memory: 65_536, passes: 2', 'memory: 1024, passes: 1');
    if (cheap === code) throw new Error('The cost of a password stands elsewhere now.');
    return { code: cheap, map: null };
  },
};

/** Another run may still use it. */
const KEPT_MS = 3_600_000;

/** Vitest calls this once; what it sets, its workers have. */
export async function setup(): Promise<void> {
  const folder = join(BUNDLES, hashAll().slice(0, 16));
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else await bundleInto(folder);
  process.env['CAIRN_TEST_PROGRAM'] = pathToFileURL(`${folder}/`).href;
  // Threads of servers in a worker's own process are compiled once, too, not with each server.
  process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/cairn-compiled');
}

function hashAll(): string {
  const hash = createHash('sha256')
    .update(hashSources(ROOT))
    .update(readFileSync(import.meta.filename));
  for (const path of OTHERS) hash.update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** Whole or not at all: others may run tests, too. */
async function bundleInto(folder: string): Promise<void> {
  mkdirSync(BUNDLES, { recursive: true });
  for (const name of readdirSync(BUNDLES)) {
    const old = join(BUNDLES, name);
    if (Date.now() - statSync(old).mtimeMs > KEPT_MS) rmSync(old, { recursive: true, force: true });
  }
  const unfinished = mkdtempSync(join(BUNDLES, 'unfinished-'));
  await bundleProgram(unfinished, { others: OTHERS, plugins: [CHEAP_PASSWORDS], hasWholeThreads: true });
  // Without it each start finds out first whether a file is a module.
  writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}');
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
