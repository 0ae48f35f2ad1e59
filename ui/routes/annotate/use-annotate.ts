import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useContext, useMemo } from 'react';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { JudgingPlaceContext } from './annotate-context.ts';
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
  const place = useContext(JudgingPlaceContext);
  const addressed = useSearch({ strict: false, select: (search) => search.annotate });
  const choice = place === undefined ? addressed : undefined;
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
  const open = place?.open ?? set;
  useShortcuts('Annotate', [
    {
      keys: 'e',
      label: 'Annotate',
      run: () => (choice === undefined ? open(first) : focusFirst(document.querySelector('[data-annotate]'))),
    },
  ]);
  return useMemo(() => ({ choice, open, close: () => set(undefined) }), [choice, open, set]);
}
