import { layerOf } from '../layers/layer.ts';
import type { ModuleExport } from '../source/module.ts';
import { resolveImport, type SourceTree } from '../source/tree.ts';

/** How many exports another layer imports, and those of them without a docstring, as `path:line name`. */
export interface BoundaryDocs {
  readonly exportCount: number;
  readonly undocumented: readonly string[];
}

/** Looks at every export that a file of another layer names, at the place where it is declared. */
export function measureBoundaryDocs(tree: SourceTree): BoundaryDocs {
  const seen = new Map<string, boolean>();
  for (const { path, imports } of tree.values()) {
    for (const { specifier, names } of imports) {
      const target = resolveImport(path, specifier);
      if (target === undefined || !tree.has(target) || layerOf(target) === layerOf(path)) continue;
      for (const name of names) {
        for (const found of declarationsOf(tree, target, name)) {
          seen.set(`${found.path}:${found.line} ${found.name}`, found.hasDocs);
        }
      }
    }
  }
  const undocumented = [...seen].filter(([, hasDocs]) => !hasDocs).map(([place]) => place);
  return { exportCount: seen.size, undocumented };
}

type Declaration = ModuleExport & { readonly path: string };

/** The exports that `name` ('*' for all) means in `path`, followed through re-exports. */
function declarationsOf(tree: SourceTree, path: string, name: string): readonly Declaration[] {
  const exports = tree.get(path)?.exports ?? [];
  return exports
    .filter((found) => name === '*' || found.name === name || found.name === '*')
    .flatMap((found) => {
      if (found.from === undefined) return [{ ...found, path }];
      const source = resolveImport(path, found.from.specifier);
      if (source === undefined || source === path) return [];
      return declarationsOf(tree, source, found.name === '*' ? name : found.from.name);
    });
}
