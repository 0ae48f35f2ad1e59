import { describe, expect, it } from 'vitest';
import { buildForest, type TreeNode } from './forest.ts';
import { decideKey, findByPrefix, type KeyScene } from './keyboard.ts';
import { family } from './span.fixture.ts';
import { filterRows, listRows } from './visible-rows.ts';

const forest = buildForest(family('root', 'apple < root', 'core < apple', 'avocado < root', 'berry < root'));

function press(key: string, selected: string | undefined, changes: Partial<KeyScene> = {}): string | undefined {
  const collapsed = changes.collapsed ?? new Set<string>();
  const action = decideKey(key, {
    rows: listRows(forest, collapsed),
    selected: selected === undefined ? undefined : forest.byKey.get(selected),
    collapsed,
    canFold: true,
    pageSize: 3,
    ...changes,
  });
  return action && `${action.do} ${action.node.key}`;
}

describe('decideKey', () => {
  it('moves by rows, pages and to the ends, and stays inside', () => {
    expect(press('ArrowDown', 'root')).toBe('select apple');
    expect(press('ArrowUp', 'root')).toBe('select root');
    expect(press('ArrowDown', undefined)).toBe('select root');
    expect(press('PageDown', 'root')).toBe('select avocado');
    expect(press('PageDown', 'avocado')).toBe('select berry');
    expect(press('PageUp', 'avocado')).toBe('select root');
    expect(press('Home', 'berry')).toBe('select root');
    expect(press('End', 'root')).toBe('select berry');
  });

  it('goes in with right: first it expands, then it enters', () => {
    expect(press('ArrowRight', 'apple', { collapsed: new Set(['apple']) })).toBe('expand apple');
    expect(press('ArrowRight', 'apple')).toBe('select core');
    expect(press('ArrowRight', 'core')).toBeUndefined();
  });

  it('goes out with left: first it collapses, then it goes to the parent', () => {
    expect(press('ArrowLeft', 'apple')).toBe('collapse apple');
    expect(press('ArrowLeft', 'core')).toBe('select apple');
    expect(press('ArrowLeft', 'root', { collapsed: new Set(['root']) })).toBeUndefined();
  });

  it('walks without folding while a filter decides what is shown', () => {
    const { rows } = filterRows(forest, 'core');
    expect(press('ArrowLeft', 'apple', { rows, canFold: false })).toBe('select root');
    expect(press('ArrowRight', 'apple', { rows, canFold: false })).toBe('select core');
    expect(press('ArrowRight', 'root', { rows: filterRows(forest, 'root').rows, canFold: false })).toBeUndefined();
  });

  it('expands siblings with a star and leaves other keys alone', () => {
    expect(press('*', 'apple')).toBe('expand siblings apple');
    expect(press('Enter', 'apple')).toBeUndefined();
  });

  it('does nothing without rows', () => {
    expect(press('End', undefined, { rows: [] })).toBeUndefined();
  });
});

describe('findByPrefix', () => {
  const find = (selected: string | undefined, prefix: string, rows: readonly TreeNode[] = forest.nodes) =>
    findByPrefix(rows, selected === undefined ? undefined : forest.byKey.get(selected), prefix)?.key;

  it('goes to the next name with that letter, and round', () => {
    expect(find('root', 'a')).toBe('apple');
    expect(find('apple', 'A')).toBe('avocado');
    expect(find('avocado', 'a')).toBe('apple');
  });

  it('stays while more letters still fit', () => {
    expect(find('apple', 'ap')).toBe('apple');
    expect(find('apple', 'av')).toBe('avocado');
    expect(find('apple', 'zz')).toBeUndefined();
    expect(find(undefined, 'b')).toBe('berry');
  });
});
