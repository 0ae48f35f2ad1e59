/** Which layer imports which, and how: by alias across layers, by relative path within one. */
import { basename } from 'node:path';
import type { ModuleImport, SourceModule } from '../source/module.ts';
import { isTestFile, resolveImport, type SourceTree } from '../source/tree.ts';
import { type LayerTable, layerOf } from './layer.ts';

/** What the table says of top-level folders. */
type BoundaryTable = Omit<LayerTable, 'inside'>;

/** The breaches of the table in `tree`, one line each; empty when there is none. */
export function findBoundaryBreaches(tree: SourceTree, table: BoundaryTable): readonly string[] {
  return [
    ...undeclaredLayers(tree, table),
    ...[...tree.keys()]
      .filter((path) => basename(path) === 'index.ts')
      .map((path) => `${path}: barrels are not used; import from the file that declares the name`),
    ...[...tree.values()].flatMap((module) =>
      module.imports.flatMap((imported) => {
        const breach = breachOf(module, imported, table);
        return breach === undefined ? [] : [`${module.path}:${imported.line}: ${breach}`];
      }),
    ),
  ];
}

function undeclaredLayers(tree: SourceTree, table: BoundaryTable): readonly string[] {
  const layers = new Set([...tree.keys()].map(layerOf));
  return [...layers]
    .filter((layer) => !(layer in table.layers))
    .map((layer) => `src/${layer}: not in layers.json; say there what it may import`);
}

function breachOf({ path }: SourceModule, imported: ModuleImport, table: BoundaryTable): string | undefined {
  const { specifier, isTypeOnly } = imported;
  const target = resolveImport(path, specifier);
  if (target === undefined) return undefined;
  // The one file outside src/ that the program reads: its own version stands there.
  if (target === 'package.json') return undefined;
  if (target.startsWith('test/') && isTestFile(path)) return undefined;
  if (!target.startsWith('src/')) return `${specifier} leaves src/`;
  const [from, to] = [layerOf(path), layerOf(target)];
  if (from === to)
    return specifier.startsWith('#') ? `import ${specifier} by a relative path inside ${from}/` : undefined;
  if (!specifier.startsWith('#')) return `import ${specifier} by its alias #${target.slice(4, -3)}`;
  if (table.layers[from]?.includes(to)) return undefined;
  if (isTypeOnly && table.typesAnywhere.includes(to)) return undefined;
  return `${from} may not import ${to} (${specifier})`;
}
