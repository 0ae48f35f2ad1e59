import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { setCollapsed } from '../trace/model/collapse.ts';
import type { KeyAction } from '../trace/model/keyboard.ts';
import { listRows, ordinalOf, stepThrough } from '../trace/model/visible-rows.ts';
import type { AlignedNode } from './model/align.ts';
import { describeRow } from './model/describe-changes.ts';
import { listEqualParents } from './model/differences.ts';
import type { TraceComparison } from './use-comparison.ts';

/** Holding an arrow key down passes many rows; the address follows when it rests. */
const ADDRESS_DELAY_MS = 150;

/** Which rows of a comparison are shown, and which of them is selected. */
export interface CompareTree {
  readonly rows: readonly AlignedNode[];
  readonly collapsed: ReadonlySet<string>;
  readonly selected: AlignedNode | undefined;
  readonly isOnlyDifferences: boolean;
  /** What was said last to those who hear the page. */
  readonly announcement: string;
  readonly select: (node: AlignedNode) => void;
  readonly act: (action: KeyAction<AlignedNode>) => void;
  readonly toggle: (node: AlignedNode) => void;
  readonly stepRow: (by: 1 | -1) => void;
  readonly stepDifference: (direction: 'next' | 'previous') => void;
  readonly setOnlyDifferences: (isOnly: boolean) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** See {@link CompareTree}. What somebody folded is kept by key, so that it outlives every change of the traces. */
export function useCompareTree({ alignment, comparison, isWhole }: TraceComparison): CompareTree {
  const navigate = useNavigate();
  const { pair, rows: shown } = useSearch({ from: '/compare/traces' });
  const isOnlyDifferences = shown === 'differences';
  const [toggled, setToggled] = useState(NOTHING);
  const [key, setKey] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const written = useRef(pair);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (pair === written.current) return;
    // Not from here: a link, or the way back.
    written.current = pair;
    setKey(null);
  }, [pair]);
  useEffect(() => () => clearTimeout(timer.current), []);

  // Before the contents are known nobody knows what is equal.
  const folded = useMemo(
    () => (isWhole ? listEqualParents(alignment, comparison) : NOTHING),
    [alignment, comparison, isWhole],
  );
  const collapsed = useMemo(
    () => new Set([...folded, ...toggled].filter((each) => folded.has(each) !== toggled.has(each))),
    [folded, toggled],
  );
  const rows = useMemo(() => {
    const open = listRows(alignment, collapsed);
    if (!isOnlyDifferences) return open;
    return open.filter(
      ({ index, left, right }) => (comparison.differingBelow[index] ?? 0) > 0 || left === null || right === null,
    );
  }, [alignment, comparison, collapsed, isOnlyDifferences]);
  const selected = useMemo(() => {
    const named = key ?? pair;
    const found = named === undefined ? undefined : (alignment.byKey.get(named) ?? findPartly(alignment.nodes, named));
    return found ?? comparison.differing[0] ?? alignment.nodes[0];
  }, [alignment, comparison, key, pair]);

  function select(node: AlignedNode): void {
    setKey(node.key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      written.current = node.key;
      void navigate({
        to: '.',
        search: (before) => ({ ...before, pair: node.key }),
        replace: true,
        resetScroll: false,
      });
    }, ADDRESS_DELAY_MS);
  }

  function setFolded(node: AlignedNode, isFolded: boolean): void {
    setToggled((before) => setCollapsed(before, node.key, folded.has(node.key) !== isFolded));
  }

  function act(action: KeyAction<AlignedNode>): void {
    switch (action.do) {
      case 'select':
        return select(action.node);
      case 'collapse':
        setFolded(action.node, true);
        // What is selected stays in sight.
        if (selected !== undefined && isBelow(selected, action.node)) select(action.node);
        return;
      case 'expand':
        return setFolded(action.node, false);
      case 'expand siblings':
        for (const node of alignment.nodes) if (node.parent === action.node.parent) setFolded(node, false);
        return;
      default:
        action satisfies never;
    }
  }

  function stepDifference(direction: 'next' | 'previous'): void {
    const { differing } = comparison;
    const node = stepThrough(differing, selected, direction);
    if (node === undefined) return;
    for (let above = node.parent; above !== null; above = above.parent) setFolded(above, false);
    select(node);
    const row = comparison.rows[node.index];
    const name = (node.right ?? node.left)?.span?.name ?? '';
    setAnnouncement(
      `Difference ${ordinalOf(differing, node)} of ${differing.length}: ${name}, ${row === undefined ? '' : describeRow(node, row)}`,
    );
  }

  function stepRow(by: 1 | -1): void {
    const at = selected === undefined ? -1 : rows.indexOf(selected);
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next !== undefined) select(next);
  }

  return {
    rows,
    collapsed,
    selected,
    isOnlyDifferences,
    announcement,
    select,
    act,
    toggle: (node) => act({ do: collapsed.has(node.key) ? 'expand' : 'collapse', node }),
    stepRow,
    stepDifference,
    setOnlyDifferences: (isOnly) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, rows: isOnly ? 'differences' : undefined }),
        replace: true,
        resetScroll: false,
      }),
  };
}

/** Pairs may be others once contents are known: then one of its spans is looked for. */
function findPartly(nodes: readonly AlignedNode[], key: string): AlignedNode | undefined {
  const [left, right] = key.split('-');
  return (
    (left ? nodes.find((node) => node.left?.key === left) : undefined) ??
    (right ? nodes.find((node) => node.right?.key === right) : undefined)
  );
}

function isBelow(node: AlignedNode, above: AlignedNode): boolean {
  return node.index > above.index && node.index < above.endIndex;
}
