import { describe, expect, it } from 'vitest';
import { sharedScripts } from './shared-scripts.ts';

/** What each page of a build imports, and what that imports. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'index.html': ['react', 'router'],
  'sign-in.html': ['react', 'field'],
  'routes/shell/palette/palette.tsx': ['search', 'react'],
  'routes/projects/projects-page.tsx': ['table', 'only-projects'],
  'routes/settings/settings-layout.tsx': ['field'],
  'routes/settings/general-page.tsx': ['field'],
  'routes/project/project-layout.tsx': ['router'],
  'routes/project/spans-page.tsx': ['table', 'filter', 'only-spans'],
  'routes/project/traces-page.tsx': ['table', 'filter'],
  'routes/project/sessions-page.tsx': ['table', 'field'],
  'routes/project/trace-peek.tsx': [],
  'routes/trace/trace-panel.tsx': ['tree', 'table'],
  'routes/span/span-details.tsx': ['tree'],
  table: ['cell'],
};

/** The script of a module: of the first group that takes it. */
function scriptOf(id: string, imports = IMPORTS): string | null {
  const modules = {
    getModuleInfo: (of: string) => {
      const known = imports[of.replace('ui/', '')];
      return known === undefined && of.startsWith('ui/') ? null : { importedIds: known ?? [] };
    },
  };
  for (const { name } of sharedScripts('ui')) {
    const script = name(id, modules);
    if (script !== null) return script;
  }
  return null;
}

describe('sharedScripts', () => {
  it('joins modules that the same visits use, with what they import', () => {
    expect(scriptOf('table')).toBe('shared-projects-lists');
    expect(scriptOf('cell')).toBe('shared-projects-lists');
    expect(scriptOf('filter')).toBe('shared-lists');
    expect(scriptOf('tree')).toBe('shared-trace');
  });

  it('gives the page to sign in what it shares, and nothing else', () => {
    expect(scriptOf('react')).toBe('shared-sign-in-shell');
    expect(scriptOf('router')).toBe('shared-shell');
    expect(scriptOf('field')).toBe('shared-sign-in-settings-preferences');
  });

  it('leaves what one page uses to the bundler', () => {
    for (const id of ['only-projects', 'only-spans', 'search', 'somewhere-else']) expect(scriptOf(id)).toBeNull();
  });

  it('asks groups of more visits first, so that none takes what belongs to another', () => {
    const counts = sharedScripts('ui').map(({ debugName }) => Number(/\d+/.exec(debugName)?.[0]));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.at(-1)).toBe(1);
  });

  it('fails where a page is gone', () => {
    const { 'routes/project/spans-page.tsx': _, ...others } = IMPORTS;
    expect(() => scriptOf('table', others)).toThrow('spans-page.tsx is not a page of the build');
  });
});
