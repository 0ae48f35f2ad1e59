import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collapseAll, expandSiblings, hasChildren, reveal, setCollapsed } from './collapse.ts';
import { buildForest, type Forest, type TreeNode } from './forest.ts';
import { family, span } from './span.fixture.ts';
import { filterRows, findRowIndex, listRows, ordinalOf, stepThrough } from './visible-rows.ts';

const forest = buildForest(family('root', 'a < root', 'a1 < a', 'a2 < a', 'b < root', 'b1 < b'));
const NONE: ReadonlySet<string> = new Set();

function node(key: string, from: Forest = forest): TreeNode {
  const found = from.byKey.get(key);
  if (found === undefined) throw new Error(`no node ${key}`);
  return found;
}

function keys(nodes: readonly TreeNode[]): string {
  return nodes.map(({ key }) => key).join(' ');
}

describe('listRows', () => {
  it('leaves out what is below collapsed nodes', () => {
    expect(keys(listRows(forest, NONE))).toBe('root a a1 a2 b b1');
    expect(keys(listRows(forest, new Set(['a'])))).toBe('root a b b1');
    expect(keys(listRows(forest, new Set(['a', 'root'])))).toBe('root');
  });

  it('shows a row exactly when no ancestor is collapsed', () => {
    fc.assert(
      fc.property(fc.subarray(forest.nodes.map(({ key }) => key)), (collapsedKeys) => {
        const collapsed = new Set(collapsedKeys);
        const expected = forest.nodes.filter((one) => reveal(collapsed, one) === collapsed);
        expect(listRows(forest, collapsed)).toEqual(expected);
      }),
    );
  });
});

describe('collapsing', () => {
  it('collapses every node that has children', () => {
    expect(collapseAll(forest)).toEqual(new Set(['root', 'a', 'b']));
    expect(hasChildren(node('b1'))).toBe(false);
  });

  it('changes one node, and nothing when it is so already', () => {
    const collapsed = setCollapsed(NONE, 'a', true);
    expect(collapsed).toEqual(new Set(['a']));
    expect(setCollapsed(collapsed, 'a', true)).toBe(collapsed);
    expect(setCollapsed(collapsed, 'a', false)).toEqual(NONE);
  });

  it('reveals a node below collapsed ones, leaving others collapsed', () => {
    expect(reveal(new Set(['root', 'a', 'b']), node('a1'))).toEqual(new Set(['b']));
  });

  it('expands siblings, of roots too', () => {
    expect(expandSiblings(forest, new Set(['a', 'b']), node('b'))).toEqual(NONE);
    expect(expandSiblings(forest, new Set(['root', 'a']), node('root'))).toEqual(new Set(['a']));
  });

  it('shows a node that is revealed whatever was collapsed', () => {
    fc.assert(
      fc.property(fc.subarray(forest.nodes.map(({ key }) => key)), fc.constantFrom(...forest.nodes), (given, one) => {
        expect(listRows(forest, reveal(new Set(given), one))).toContain(one);
      }),
    );
  });

  it('collapses and lists 50 000 spans in less than the 300 ms of a click', () => {
    const wide = buildForest(
      Array.from({ length: 50_000 }, (_, place) =>
        span(`s${place}`, { parentId: place === 0 ? null : `s${(place - 1) >> 2}`, startMs: place }),
      ),
    );
    const startedAt = performance.now();
    expect(listRows(wide, collapseAll(wide))).toHaveLength(1);
    expect(listRows(wide, NONE)).toHaveLength(50_000);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });
});

describe('filterRows', () => {
  const mixed = buildForest([
    span('root', { name: 'Agent run', kind: 'agent' }),
    span('x', { parentId: 'root', startMs: 1, name: 'plan' }),
    span('call', { parentId: 'x', startMs: 2, name: 'ChatCompletion', kind: 'llm', modelName: 'gpt-4o-mini' }),
    span('y', { parentId: 'root', startMs: 3, name: 'search', kind: 'tool' }),
    span('z', { parentId: 'gone', startMs: 4, name: 'late', kind: 'tool' }),
  ]);

  it('finds by name, kind and model in any case and keeps ancestors', () => {
    expect(keys(filterRows(mixed, 'GPT-4o').rows)).toBe('root x call');
    expect(keys(filterRows(mixed, 'chat').matches)).toBe('call');
    expect(keys(filterRows(mixed, 'tool').rows)).toBe('root y gone z');
  });

  it('wants every word', () => {
    expect(keys(filterRows(mixed, 'llm mini').matches)).toBe('call');
    expect(filterRows(mixed, 'llm search').rows).toEqual([]);
  });

  it('keeps spans that match in another way, with their ancestors', () => {
    const { rows, matches } = filterRows(mixed, 'plan', new Set(['call', 'z', 'unknown']));
    expect(keys(matches)).toBe('x call z');
    expect(keys(rows)).toBe('root x call gone z');
  });

  it('never matches a stand-in', () => {
    expect(keys(filterRows(mixed, '').matches)).toBe('root x call y z');
  });
});

describe('findRowIndex', () => {
  it('is the place among the rows, -1 for one that is hidden', () => {
    const rows = listRows(forest, new Set(['a']));
    expect(rows.map((row) => findRowIndex(rows, row))).toEqual([0, 1, 2, 3]);
    expect(findRowIndex(rows, node('a2'))).toBe(-1);
  });
});

describe('stepThrough', () => {
  const marked = [node('a1'), node('b')];

  it('goes on from where one is, in the order of the tree', () => {
    expect(stepThrough(marked, node('a2'), 'next')?.key).toBe('b');
    expect(stepThrough(marked, node('b'), 'previous')?.key).toBe('a1');
  });

  it('begins again at the other end', () => {
    expect(stepThrough(marked, node('b1'), 'next')?.key).toBe('a1');
    expect(stepThrough(marked, node('root'), 'previous')?.key).toBe('b');
  });

  it('begins at an end when nothing is selected', () => {
    expect(stepThrough(marked, undefined, 'next')?.key).toBe('a1');
    expect(stepThrough(marked, undefined, 'previous')?.key).toBe('b');
    expect(stepThrough([], node('a'), 'next')).toBeUndefined();
  });

  it('tells which one it is', () => {
    expect([node('a1'), node('b'), node('a'), undefined].map((one) => ordinalOf(marked, one))).toEqual([1, 2, 0, 0]);
  });
});
