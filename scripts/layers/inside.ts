/**
 * Layers inside one top-level folder of src/. Its folders stand in one order, and each imports only folders before it, so that no two
 * import each other and no circle can form.
 */
import type { ModuleImport, SourceModule } from '../source/module.ts';
import { isTestFile, resolveImport, type SourceTree } from '../source/tree.ts';
import type { InnerLayer, LayerTable } from './layer.ts';

/** The breaches in `tree` of what the table says of insides, one line each; empty when there is none. Tests import what they need. */
export function findInsideBreaches(tree: SourceTree, { inside }: Pick<LayerTable, 'inside'>): readonly string[] {
  const modules = [...tree.values()].filter(({ path }) => !isTestFile(path));
  return Object.entries(inside).flatMap(([top, layers]) => {
    const root = `src/${top}/`;
    const places = placesOf(layers);
    const own = modules.filter(({ path }) => path.startsWith(root));
    return [
      ...listingBreaches(root, new Set(own.map(({ path }) => folderOf(root, path))), places),
      ...own.flatMap((module) =>
        module.imports.flatMap((imported) => {
          const breach = breachOf(root, module, imported, places);
          return breach === undefined ? [] : [`${module.path}:${imported.line}: ${breach}`];
        }),
      ),
    ];
  });
}

/** Where a folder stands among all of the same top-level folder, and in which layer. */
interface Place {
  readonly rank: number;
  readonly layer: InnerLayer;
}

function placesOf(layers: readonly InnerLayer[]): ReadonlyMap<string, Place> {
  const listed = layers.flatMap((layer) => layer.folders.map((folder) => ({ folder, layer })));
  return new Map(listed.map(({ folder, layer }, rank) => [folder, { rank, layer }]));
}

function listingBreaches(
  root: string,
  folders: ReadonlySet<string>,
  places: ReadonlyMap<string, Place>,
): readonly string[] {
  const unlisted = [...folders].filter((folder) => !places.has(folder));
  const absent = [...places.keys()].filter((folder) => !folders.has(folder));
  return [
    ...unlisted.map((folder) => `${root}${folder}: not in layers.json; list it there after all that it imports`),
    ...absent.map((folder) => `${root}${folder}: in layers.json, but nothing is there`),
  ];
}

function breachOf(
  root: string,
  { path }: SourceModule,
  { specifier }: ModuleImport,
  places: ReadonlyMap<string, Place>,
): string | undefined {
  const target = resolveImport(path, specifier);
  if (!target?.startsWith(root)) return undefined;
  const [from, to] = [folderOf(root, path), folderOf(root, target)];
  const [importer, imported] = [places.get(from), places.get(to)];
  if (from === to || importer === undefined || imported === undefined) return undefined;
  if (imported.rank > importer.rank) return `${from} stands before ${to} and may not import it (${specifier})`;
  const [own, other] = [importer.layer, imported.layer];
  if (own === other || own.mayImport.includes(other.layer)) return undefined;
  return `${from} is of layer ${own.layer}, which may not import layer ${other.layer} (${specifier})`;
}

/** The folder of a file, below `root`; the name of a file directly in it. */
function folderOf(root: string, path: string): string {
  const below = path.slice(root.length);
  const end = below.lastIndexOf('/');
  return end < 0 ? below : below.slice(0, end);
}
