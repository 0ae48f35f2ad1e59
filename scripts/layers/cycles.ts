import { resolveImport, type SourceTree } from '../source/tree.ts';

/**
 * The import cycles between files, each as `a → b → a`, at least one for every knot of files; type-only and dynamic imports
 * count. A walk in depth that keeps its own stack: an import of a file that is still open closes a cycle.
 */
export function findCycles(tree: SourceTree): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  for (const start of tree.keys()) {
    if (done.has(start)) continue;
    const open = [{ path: start, targets: targetsOf(tree, start) }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.targets.shift();
      if (next === undefined) {
        done.add(top.path);
        open.pop();
        continue;
      }
      const opened = open.findIndex(({ path }) => path === next);
      if (opened >= 0) {
        const files = [...open.slice(opened).map(({ path }) => path), next];
        cycles.push(`${next}: import cycle ${files.join(' → ')}`);
      } else if (!done.has(next)) {
        open.push({ path: next, targets: targetsOf(tree, next) });
      }
    }
  }
  return cycles;
}

function targetsOf(tree: SourceTree, path: string): string[] {
  const imports = tree.get(path)?.imports ?? [];
  const targets = imports.map(({ specifier }) => resolveImport(path, specifier) ?? specifier);
  return [...new Set(targets)].filter((target) => tree.has(target));
}
