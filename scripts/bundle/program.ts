/**
 * Bundles the program into a folder: one file for it and one for each thread (a source named `…-thread.ts`), flat beside each
 * other so that `threadEntry` finds them; the code they share goes into chunks. npm packages are bundled, too, with their
 * licences, but for the one that is native: as files of their own they made each thread load hundreds.
 */
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../..');

/** What it finds in node_modules when it runs. */
const NATIVE = 'better-sqlite3';

/** How a bundle differs from the one that users run. */
export interface BundleOptions {
  /** Other programs on the same sources, as paths in the checkout. */
  readonly others?: readonly string[];
  readonly plugins?: readonly Plugin[];
  /** Whether a thread is one file, with all that it may ever load: it starts sooner, and takes more memory. */
  readonly hasWholeThreads?: boolean;
}

/** Writes the bundle with everything that it reads while it runs, but for the pages of the web UI. */
export async function bundleProgram(
  folder: string,
  { others = [], plugins = [], hasWholeThreads = false }: BundleOptions = {},
): Promise<void> {
  const programs = ['src/main.ts', ...others];
  const threads = globSync('src/**/*-thread.ts', { cwd: ROOT });
  const bundles = hasWholeThreads ? [programs, ...threads.map((thread) => [thread])] : [[...programs, ...threads]];
  const modules = await Promise.all(bundles.map((entries) => bundleSources(folder, entries, plugins)));
  copyLicenses(modules.flat(), `${folder}/licenses`);
  copyFileSync(`${ROOT}/src/derive/cost/built-in-prices.json`, `${folder}/built-in-prices.json`);
}

/** Several entries share chunks, one is a single file. @returns the paths of the modules in it */
async function bundleSources(
  folder: string,
  entries: readonly string[],
  plugins: readonly Plugin[],
): Promise<readonly string[]> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map((path) => [basename(path, '.ts'), path])),
    platform: 'node',
    plugins: [...plugins],
    external: (id) => isBuiltin(id) || id === NATIVE,
    onLog(level, log, handle) {
      handle(level === 'warn' ? 'error' : level, log);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Each thread holds the text of what it has loaded, in two bytes a character where one has a character beyond Latin-1.
    charset: 'ascii',
    comments: false,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: entries.length > 1,
  });
  await bundle.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Of each package its licence, or what it says of it where it brings no text. */
function copyLicenses(modules: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const packages = new Set(modules.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]));
  for (const path of packages) {
    if (path === undefined) continue;
    const name = readdirSync(path).find((file) => /^licen[cs]e/i.test(file));
    const copy = `${folder}/${path.slice(path.lastIndexOf(FOLDER) + FOLDER.length).replace('/', '-')}.txt`;
    if (name === undefined) writeFileSync(copy, readLicenseLine(path));
    else copyFileSync(join(path, name), copy);
  }
}

const FOLDER = 'node_modules/';

/** @throws Error where it says nothing */
function readLicenseLine(path: string): string {
  const { author, license } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as Record<string, unknown>;
  if (typeof license !== 'string') throw new Error(`${path} has no licence that could be copied`);
  return `Licence: ${license}\nAuthor: ${typeof author === 'string' ? author : JSON.stringify(author)}\n`;
}
