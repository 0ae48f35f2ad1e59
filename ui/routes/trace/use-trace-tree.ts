import { useDeferredValue, useMemo, useState } from 'react';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { collapseAll, expandSiblings, reveal, setCollapsed } from './model/collapse.ts';
import type { Forest, TreeNode } from './model/forest.ts';
import type { KeyAction } from './model/keyboard.ts';
import { filterRows, listRows, ordinalOf, stepThrough } from './model/visible-rows.ts';
import { type TextMatches, useTextMatches } from './use-text-matches.ts';
import { useSelectedSpan } from './use-selected-span.ts';

/** What tree, timeline and log share. */
export interface TraceTree {
  readonly forest: Forest;
  readonly rows: readonly TreeNode[];
  readonly collapsed: ReadonlySet<string>;
  /** Null without a filter; in the order of the tree. */
  readonly matches: readonly TreeNode[] | null;
  readonly filter: string;
  /** What the filter found in texts; part of {@link matches}. */
  readonly texts: TextMatches;
  readonly selected: TreeNode | undefined;
  /** The address names a span that is not among those that were read. */
  readonly isAddressedMissing: boolean;
  /** What was said last to those who hear the page. */
  readonly announcement: string;
  readonly setFilter: (filter: string) => void;
  readonly select: (node: TreeNode) => void;
  readonly act: (action: KeyAction) => void;
  readonly toggle: (node: TreeNode) => void;
  readonly expandAll: () => void;
  readonly collapseAll: () => void;
  readonly stepError: (direction: 'next' | 'previous') => void;
  readonly stepMatch: (direction: 'next' | 'previous') => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The tree's state: it is kept by span id, so that it outlives every change of the forest.
 * @param traceNodeId undefined as long as it is not known: then the filter finds nothing in texts
 */
export function useTraceTree(forest: Forest, traceNodeId: string | undefined): TraceTree {
  const [collapsed, setCollapsedKeys] = useState(NOTHING);
  const [filter, setFilter] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const { selected, isAddressedMissing, select } = useSelectedSpan(forest);
  const query = useDeferredValue(filter.trim());
  const texts = useTextMatches(traceNodeId, query, forest);
  const filtered = useMemo(
    () => (query === '' ? null : filterRows(forest, query, texts.spanIds)),
    [forest, query, texts.spanIds],
  );
  const rows = useMemo(() => filtered?.rows ?? listRows(forest, collapsed), [forest, filtered, collapsed]);

  function step(what: string, nodes: readonly TreeNode[], direction: 'next' | 'previous'): void {
    const node = stepThrough(nodes, selected, direction);
    if (node === undefined) return;
    // A failed span that the filter hides is shown all the same.
    if (filtered !== null && !filtered.rows.includes(node)) setFilter('');
    setCollapsedKeys((keys) => reveal(keys, node));
    select(node);
    setAnnouncement(`${what} ${ordinalOf(nodes, node)} of ${nodes.length}: ${revealHidden(node.span?.name ?? '')}`);
  }

  function act(action: KeyAction): void {
    switch (action.do) {
      case 'select':
        return select(action.node);
      case 'collapse':
        setCollapsedKeys((keys) => setCollapsed(keys, action.node.key, true));
        // What is selected stays in sight.
        if (selected !== undefined && isBelow(selected, action.node)) select(action.node);
        return;
      case 'expand':
        return setCollapsedKeys((keys) => setCollapsed(keys, action.node.key, false));
      case 'expand siblings':
        return setCollapsedKeys((keys) => expandSiblings(forest, keys, action.node));
      default:
        action satisfies never;
    }
  }

  return {
    forest,
    rows,
    collapsed: filtered === null ? collapsed : NOTHING,
    matches: filtered?.matches ?? null,
    filter,
    texts,
    selected,
    isAddressedMissing,
    announcement,
    setFilter,
    select,
    act,
    toggle: (node) => act({ do: collapsed.has(node.key) ? 'expand' : 'collapse', node }),
    expandAll: () => setCollapsedKeys(NOTHING),
    collapseAll: () => {
      setCollapsedKeys(collapseAll(forest));
      const root = selected && topOf(selected);
      if (root !== undefined && root !== selected) select(root);
    },
    stepError: (direction) => step('Error', forest.failed, direction),
    stepMatch: (direction) => step('Match', filtered?.matches ?? [], direction),
  };
}

function isBelow(node: TreeNode, above: TreeNode): boolean {
  return node.index > above.index && node.index < above.endIndex;
}

function topOf(node: TreeNode): TreeNode {
  let top = node;
  while (top.parent !== null) top = top.parent;
  return top;
}
