import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Forest, TreeNode } from './model/forest.ts';

/** Holding an arrow key down passes many spans; the address follows when it rests. */
const ADDRESS_DELAY_MS = 150;

/** The span that tree, timeline, log and details are about. */
export interface SelectedSpan {
  /** The one that the address names; the first where it names none that is here. */
  readonly selected: TreeNode | undefined;
  /** The address names one that is not here. */
  readonly isAddressedMissing: boolean;
  readonly select: (node: TreeNode) => void;
}

/** See {@link SelectedSpan}. */
export function useSelectedSpan(forest: Forest): SelectedSpan {
  const navigate = useNavigate();
  const addressed = useSearch({ strict: false, select: (search) => search.selectedSpanNodeId });
  // Null: the one that the address names.
  const [key, setKey] = useState<string | null>(null);
  const written = useRef(addressed);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (addressed === written.current) return;
    // Not from here: a link, or the way back.
    written.current = addressed;
    setKey(null);
  }, [addressed]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const known = useMemo(
    () => (key === null ? findById(forest, addressed) : forest.byKey.get(key)),
    [forest, key, addressed],
  );
  const selected = useMemo(() => known ?? forest.nodes.find(({ span }) => span !== null), [forest, known]);

  function select(node: TreeNode): void {
    setKey(node.key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      written.current = node.span?.id;
      void navigate({
        to: '.',
        search: (search) => ({ ...search, selectedSpanNodeId: node.span?.id }),
        replace: true,
        resetScroll: false,
      });
    }, ADDRESS_DELAY_MS);
  }
  return { selected, isAddressedMissing: key === null && addressed !== undefined && known === undefined, select };
}

function findById(forest: Forest, id: string | undefined): TreeNode | undefined {
  return id === undefined ? undefined : forest.nodes.find(({ span }) => span?.id === id);
}
