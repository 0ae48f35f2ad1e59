/** What the browser code in ui/ may import: of the server only what is browser-safe, and its own folders in one direction. */
import type { ModuleImport, SourceModule } from '../source/module.ts';
import { isTestFile, resolveImport, type SourceTree } from '../source/tree.ts';

/** Folders of src/ that compile without Node's types. */
const BROWSER_SAFE = ['base', 'semconv', 'domain', 'filter'];

/** Folders of ui/, each importing itself and those that are named. Files directly in ui/ import everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  __generated__: [],
  lib: ['__generated__'],
  components: ['lib'],
  routes: ['components', 'lib', '__generated__'],
};

/** What reads data, which components leave to routes so that they can be shown with any. */
const DATA_PACKAGES = ['react-relay', 'relay-runtime'];

/** The breaches in `tree`, which holds ui/ and src/, one line each; empty when there is none. */
export function findUiBreaches(tree: SourceTree): readonly string[] {
  return [...tree.values()]
    .filter(({ path }) => path.startsWith('ui/') && !isTestFile(path))
    .flatMap((module) =>
      module.imports.flatMap((imported) => {
        const breach = breachOf(module, imported);
        return breach === undefined ? [] : [`${module.path}:${imported.line}: ${breach}`];
      }),
    );
}

function breachOf({ path }: SourceModule, { specifier }: ModuleImport): string | undefined {
  const from = folderOf(path);
  if (specifier.startsWith('node:')) return `${specifier} is not there in a browser`;
  if (from === 'components' && DATA_PACKAGES.includes(specifier)) return `components get their data as props`;
  const target = resolveImport(path, specifier);
  if (target === undefined) return undefined;
  const [top = '', folder = ''] = target.split('/');
  if (top === 'src') return BROWSER_SAFE.includes(folder) ? undefined : `ui may not import ${folder} (${specifier})`;
  if (top !== 'ui') return `${specifier} leaves ui/`;
  const allowed = MAY_IMPORT[from];
  const to = folderOf(target);
  if (allowed === undefined || from === to || allowed.includes(to)) return undefined;
  return `ui/${from} may not import ui/${to} (${specifier})`;
}

/** The folder of ui/ that a file lies in; empty for files directly in ui/. */
function folderOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 ? (parts[1] ?? '') : '';
}
