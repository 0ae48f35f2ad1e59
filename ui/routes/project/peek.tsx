import { Outlet, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, Suspense, useMemo } from 'react';
import { hasSelection, NOTHING_SELECTED } from '#ui/components/data-table/selection.ts';
import type { SelectionStore } from '#ui/components/data-table/selection-store.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import type { ListHandle } from './list-context.ts';
import { PeekContext, type PeekControls } from './peek-context.ts';
import styles from './project.module.css';
import { withoutPeekSearch } from './project-search.ts';

/** See {@link Peek}. */
export interface PeekProps {
  readonly list: RefObject<ListHandle | null>;
  /** What is selected in the list: while it is seen, Escape clears that first. */
  readonly selection?: SelectionStore;
  readonly hasRoomForBoth: boolean;
}

/** What is open beside a list: the child of its route, with the ways to close and enlarge it and to step on. */
export function Peek({ list, selection, hasRoomForBoth }: PeekProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { view } = useSearch({ strict: false });
  const isFull = view === 'full' || !hasRoomForBoth;
  const controls = useMemo((): PeekControls => {
    const close = () => {
      list.current?.focusRow();
      void navigate({ to: '..', search: withoutPeekSearch });
    };
    const expand = () =>
      void navigate({ to: '.', search: (before) => ({ ...before, view: isFull ? undefined : 'full' }), replace: true });
    const step = (by: 1 | -1) => list.current?.step(by);
    return { close, expand: hasRoomForBoth ? expand : undefined, step, isFull };
  }, [list, navigate, isFull, hasRoomForBoth]);
  function leave(): void {
    if (selection !== undefined && hasSelection(selection.get())) selection.set(NOTHING_SELECTED);
    else controls.close();
  }
  useShortcuts('Panel', [
    { keys: 'Escape', label: 'Close the panel', run: isFull ? controls.close : leave },
    ...(controls.expand === undefined
      ? []
      : [{ keys: 'z', label: isFull ? 'Dock the panel' : 'Expand the panel', run: controls.expand }]),
  ]);
  return (
    <PeekContext value={controls}>
      <div className={styles.peek}>
        <ErrorBoundary fallbackTitle="The panel could not be shown" resetKey={pathname}>
          <Suspense>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </div>
    </PeekContext>
  );
}
