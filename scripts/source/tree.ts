/** The files of src/ as one graph. Paths are relative to the checkout, with forward slashes. */
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseModule, type SourceModule } from './module.ts';

/** The parsed files of a checkout's src/ by path, in order of path. */
export type SourceTree = ReadonlyMap<string, SourceModule>;

/** Reads every TypeScript file below `root`/src. */
export function readSourceTree(root: string): SourceTree {
  const paths = globSync('src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.sort().map((path) => [path, parseModule(path, readFileSync(`${root}/${path}`, 'utf8'))]));
}

/** The file that a specifier means when `importer` names it; undefined for packages and Node's own modules. */
export function resolveImport(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}.ts`;
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier);
  return undefined;
}

/** Whether a file is for tests only: a test beside its source, what it starts (`.fixture.ts`), or a contract suite. */
export function isTestFile(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path) || posix.basename(path) === 'contract.ts';
}
