import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { focusFirst } from './focus-first.ts';
import type { TargetChoice } from './model/target.ts';

/** What the address says of the annotate panel, and ways to change it. */
export interface AnnotateState {
  /** Undefined while the panel is closed. */
  readonly choice: TargetChoice | undefined;
  readonly open: (choice: TargetChoice) => void;
  readonly close: () => void;
}

/**
 * Whether the annotate panel is open, and for what. `e` opens it, and goes to it.
 * @param first what it is opened for by the key
 */
export function useAnnotate(first: TargetChoice): AnnotateState {
  const navigate = useNavigate();
  const choice = useSearch({ strict: false, select: (search) => search.annotate });
  const set = useCallback(
    (next: TargetChoice | undefined) => {
      void navigate({
        to: '.',
        search: (search) => ({ ...search, annotate: next }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate],
  );
  useShortcuts('Annotate', [
    {
      keys: 'e',
      label: 'Annotate',
      run: () => (choice === undefined ? set(first) : focusFirst(document.querySelector('[data-annotate]'))),
    },
  ]);
  return useMemo(() => ({ choice, open: set, close: () => set(undefined) }), [choice, set]);
}
