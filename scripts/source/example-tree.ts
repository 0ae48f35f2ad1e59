import { parseModule } from './module.ts';
import type { SourceTree } from './tree.ts';

/** A tree for tests, from the text of its files by path. */
export function exampleTree(files: Readonly<Record<string, string>>): SourceTree {
  return new Map(Object.entries(files).map(([path, text]) => [path, parseModule(path, text)]));
}
