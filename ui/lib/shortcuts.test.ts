import { describe, expect, it } from 'vitest';
import { joinScopes, type Shortcut } from './shortcuts.ts';

function shortcut(keys: string): Shortcut {
  return { keys, label: `Press ${keys}`, run: () => undefined };
}

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
});
