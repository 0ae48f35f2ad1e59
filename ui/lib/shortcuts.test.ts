import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinScopes, type Shortcut } from './shortcuts.ts';

function shortcut(keys: string): Shortcut {
  return { keys, label: `Press ${keys}`, run: () => undefined };
}

const TAKES_KEYS = /onKey(?:Down|Up)|'key(?:down|up)'/;

/** What takes keys and lists none, and why. */
const SILENT = {
  'components/data-table/column-menu.tsx': 'Its buttons say which keys move a column.',
  'components/password-field.tsx': 'It looks at Caps Lock alone.',
  'components/search-list/search-list.tsx': 'A field has the focus as long as it stands.',
  'components/tooltip.tsx': 'A tooltip goes with whatever else Escape closes.',
  'routes/annotate/free-form.tsx':
    'What saves the form beside it saves this one while it has the focus, and is listed there.',
  'routes/queues/review/use-hold-renewal.ts': 'It notes that somebody is there.',
  'routes/shell/palette/palette.tsx': 'A window, in which the panel cannot be opened.',
};

describe('the panel of shortcuts', () => {
  it('shows each part of the screen once, however many components bind it, and none that binds nothing', () => {
    const scopes = joinScopes([
      { scope: 'Project', shortcuts: [shortcut('r')] },
      { scope: 'Trace', shortcuts: [] },
      { scope: 'Everywhere', shortcuts: [shortcut('?')] },
      { scope: 'Project', shortcuts: [shortcut('t')] },
    ]);
    expect(scopes.map(({ scope, shortcuts }) => [scope, ...shortcuts.map(({ keys }) => keys)])).toEqual([
      ['Project', 'r', 't'],
      ['Everywhere', '?'],
    ]);
  });

  it('shows what several of a kind bind once', () => {
    const [table] = joinScopes(
      [1, 2].map(() => ({ scope: 'Table', shortcuts: [shortcut('Enter'), shortcut('Home')] })),
    );
    expect(table?.shortcuts.map(({ keys }) => keys)).toEqual(['Enter', 'Home']);
  });

  it('knows every part of the pages that takes keys', () => {
    const root = resolve(import.meta.dirname, '..');
    const taking = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) => {
      const source = readFileSync(resolve(root, path), 'utf8');
      return TAKES_KEYS.test(source) && !/\buseShortcuts\(/.test(source);
    });
    expect(taking.toSorted()).toEqual(Object.keys(SILENT).toSorted());
  });
});
