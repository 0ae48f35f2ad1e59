/**
 * Resource slices: src/resources/<slice>/ holds files of fixed names, so that a name across all slices reads like a folder
 * (every policy, every query), and slices depend on each other without a circle.
 */
import type { ModuleImport, SourceModule } from '../source/module.ts';
import { isTestFile, resolveImport, type SourceTree } from '../source/tree.ts';

/** The parts of a slice, and which of its other parts each may import. A part is a file, or a folder of that name. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  policy: [],
  queries: [],
  operations: ['policy', 'queries'],
  commands: ['policy', 'queries'],
  loaders: ['queries'],
  present: [],
  rest: ['policy', 'operations', 'queries', 'commands', 'present'],
  graphql: ['policy', 'operations', 'queries', 'commands', 'loaders', 'present'],
  slice: ['policy', 'commands', 'rest', 'graphql'],
};

/** What stands beside the slices: how one is declared, the list of them, and tests of all of them. */
const SHARED_FILES = /^src\/resources\/(slice|slices|[\w-]+\.test|[\w-]+\.fixture)\.ts$/;

/** What a slice may take from another one; still never `queries` from `rest` and `graphql`. */
const SHARED_PARTS = ['operations', 'queries', 'present'];

/** Who asks is handed down from the request: a resource that made a caller of its own could pass by what callers may do. */
const CALLERS = '#domain/caller';

/** The breaches of these rules in `tree`, one line each; empty when there is none. */
export function findSliceBreaches(tree: SourceTree): readonly string[] {
  const modules = [...tree.values()].filter(
    ({ path }) => path.startsWith('src/resources/') && !SHARED_FILES.test(path),
  );
  return [
    ...findUnguarded(tree, modules),
    ...modules.flatMap((module) => findModuleBreaches(module)),
    ...findCircles(modules),
  ];
}

function findUnguarded(tree: SourceTree, modules: readonly SourceModule[]): readonly string[] {
  const slices = new Set(modules.map(({ path }) => placeOf(path).slice).filter((slice) => !slice.endsWith('.ts')));
  return [...slices]
    .filter((slice) => !tree.has(`src/resources/${slice}/policy.ts`))
    .map((slice) => `src/resources/${slice}: a slice says in policy.ts who may do what`);
}

/** A line for each slice that reaches itself through the imports of others. */
function findCircles(modules: readonly SourceModule[]): readonly string[] {
  const uses = new Map<string, Set<string>>();
  for (const { path, imports } of modules.filter((module) => !isTestFile(module.path))) {
    const { slice } = placeOf(path);
    const used = uses.get(slice) ?? new Set();
    uses.set(slice, used);
    for (const { specifier } of imports) {
      const target = resolveImport(path, specifier);
      if (!target?.startsWith('src/resources/') || SHARED_FILES.test(target)) continue;
      const other = placeOf(target).slice;
      if (other !== slice) used.add(other);
    }
  }
  const reach = (from: string, reached = new Set<string>()): ReadonlySet<string> => {
    for (const next of uses.get(from) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      reach(next, reached);
    }
    return reached;
  };
  const inCircle = [...uses.keys()].filter((slice) => reach(slice).has(slice)).sort();
  return inCircle.length === 0
    ? []
    : [`src/resources: these slices import each other in a circle: ${inCircle.join(', ')}`];
}

function findModuleBreaches(module: SourceModule): readonly string[] {
  const misplaced = placementBreach(module.path);
  if (misplaced !== undefined) return [`${module.path}: ${misplaced}`];
  return module.imports.flatMap((imported) => {
    const breach = importBreach(module, imported);
    return breach === undefined ? [] : [`${module.path}:${imported.line}: ${breach}`];
  });
}

function placementBreach(path: string): string | undefined {
  const { slice, part } = placeOf(path);
  if (slice.endsWith('.ts')) return 'beside the slices stand slice.ts, slices.ts, tests and fixtures only';
  return part in PARTS ? undefined : `a slice holds ${Object.keys(PARTS).join(', ')} and their tests only`;
}

function importBreach({ path }: SourceModule, { specifier, isTypeOnly }: ModuleImport): string | undefined {
  if (specifier === CALLERS && !isTypeOnly && !isTestFile(path)) return 'a slice makes no caller, it is given one';
  const target = resolveImport(path, specifier);
  if (!target?.startsWith('src/resources/') || SHARED_FILES.test(target)) return undefined;
  const [from, to] = [placeOf(path), placeOf(target)];
  if (from.slice !== to.slice) {
    if (!SHARED_PARTS.includes(to.part)) return `another slice gives its ${SHARED_PARTS.join(', ')} only`;
    if (isTestFile(path)) return undefined;
    const mayQuery = from.part !== 'rest' && from.part !== 'graphql';
    return to.part !== 'queries' || mayQuery ? undefined : `${from.part} may not import queries`;
  }
  if (isTestFile(path) || from.part === to.part) return undefined;
  return PARTS[from.part]?.includes(to.part) ? undefined : `${from.part} may not import ${to.part}`;
}

/** `src/resources/spans/operations/list.test.ts` is part `operations` of slice `spans`. */
function placeOf(path: string): { readonly slice: string; readonly part: string } {
  const [slice = '', part = ''] = path.split('/').slice(2);
  return { slice, part: part.replace(/(\.test)?\.ts$/, '') };
}
