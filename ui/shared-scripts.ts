/**
 * Which modules share a script. By itself the bundler makes a script for each set of pages that use the same modules, two hundred in
 * all: a first visit to the table of spans asked for 138. Here modules share one where the same visits use them, so that no visit
 * loads what it does not need.
 */

/** What the bundler says of a module. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A group as the bundler takes it: modules of one name share a script, with those that they import and no earlier group has. */
interface ScriptGroup {
  readonly debugName: string;
  readonly name: (id: string, modules: Modules) => string | null;
}

/**
 * Visits, by the pages that they load or soon will. A visit uses a module that its one page uses, or two of several: what one of
 * several uses stays in that page's own script.
 */
const VISITS: Readonly<Record<string, readonly string[]>> = {
  'sign-in': ['sign-in.html'],
  shell: ['index.html'],
  palette: ['routes/shell/palette/palette.tsx'],
  projects: ['routes/projects/projects-page.tsx'],
  settings: ['routes/settings/settings-layout.tsx'],
  preferences: ['routes/settings/general-page.tsx'],
  lists: ['project-layout', 'spans-page', 'traces-page', 'sessions-page'].map((page) => `routes/project/${page}.tsx`),
  trace: ['project/trace-peek', 'trace/trace-panel', 'span/span-details'].map((page) => `routes/${page}.tsx`),
};

/**
 * A group for each number of visits that share, the largest first: what a module imports is used by at least the same visits, and so
 * has its place already. Modules that one visit uses in one page are left to the bundler.
 * @param root the folder of the pages
 */
export function sharedScripts(root: string): ScriptGroup[] {
  let visitsOf: ReadonlyMap<string, readonly string[]> | undefined;
  const counts = Array.from(ALL_VISITS, (_, place) => ALL_VISITS.length - place);
  return counts.map((count) => ({
    debugName: `modules of ${count} visits`,
    name: (id, modules) => {
      visitsOf ??= findVisits(root, modules);
      const visits = visitsOf.get(id) ?? [];
      return visits.length === count ? nameScript(visits) : null;
    },
  }));
}

const ALL_VISITS = Object.keys(VISITS);

/** The visits that use each module. All but the one to sign in use the shell's. */
function findVisits(root: string, modules: Modules): ReadonlyMap<string, readonly string[]> {
  const visitsOf = new Map<string, string[]>();
  const ofShell = reach(`${root}/index.html`, modules);
  for (const [visit, pages] of Object.entries(VISITS)) {
    const uses = new Map<string, number>();
    for (const page of pages) {
      const reached = reach(`${root}/${page}`, modules);
      for (const id of visit === 'sign-in' ? reached : new Set([...reached, ...ofShell]))
        uses.set(id, (uses.get(id) ?? 0) + 1);
    }
    for (const [id, count] of uses) {
      if (count >= Math.min(2, pages.length)) visitsOf.set(id, [...(visitsOf.get(id) ?? []), visit]);
    }
  }
  return visitsOf;
}

function nameScript(visits: readonly string[]): string | null {
  const [only = ''] = visits;
  if (visits.length === 1 && VISITS[only]?.length === 1) return null;
  const shell = visits.indexOf('shell');
  return ['shared', ...(shell === -1 ? visits : visits.slice(0, shell + 1))].join('-');
}

/**
 * The modules that a page has once it is loaded, its own included.
 * @throws Error where the build has no such page
 */
function reach(page: string, modules: Modules): ReadonlySet<string> {
  if (modules.getModuleInfo(page) === null) throw new Error(`${page} is not a page of the build: change VISITS.`);
  const reached = new Set([page]);
  for (const id of reached) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}
