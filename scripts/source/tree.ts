/** The files of src/, or of ui/, as one graph. Paths are relative to the checkout, with forward slashes. */
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseModule, type SourceModule } from './module.ts';

/** Parsed files of a checkout by path, in order of path. */
export type SourceTree = ReadonlyMap<string, SourceModule>;

/** Reads every TypeScript file below `root`/src. */
export function readSourceTree(root: string): SourceTree {
  return readTree(root, 'src/**/*.ts', []);
}

/** Reads every TypeScript file below `root`/ui that somebody wrote. */
export function readUiTree(root: string): SourceTree {
  return readTree(root, 'ui/**/*.{ts,tsx}', ['ui/__generated__/**', 'ui/vite.config.ts']);
}

function readTree(root: string, pattern: string, exclude: readonly string[]): SourceTree {
  const paths = globSync(pattern, { cwd: root, exclude }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.sort().map((path) => [path, parseModule(path, readFileSync(`${root}/${path}`, 'utf8'))]));
}

/** The file that a specifier means when `importer` names it; undefined for packages and Node's own modules. */
export function resolveImport(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('#ui/')) return specifier.slice(1);
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}.ts`;
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier);
  return undefined;
}

/** Whether a file is for tests only: a test beside its source, what it starts (`.fixture.ts`), or a contract suite. */
export function isTestFile(path: string): boolean {
  return /\.(test|fixture)\.tsx?$|[/-]contract\.ts$/.test(path);
}
