import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import { Outlet, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, Suspense, useMemo } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import type { ListHandle } from './list-context.ts';
import { PeekContext, type PeekControls } from './peek-context.ts';
import styles from './project.module.css';

/** See {@link Peek}. */
export interface PeekProps {
  readonly list: RefObject<ListHandle | null>;
  readonly hasRoomForBoth: boolean;
}

/** What is open beside a list: the child of its route, with the ways to close and enlarge it and to step on. */
export function Peek({ list, hasRoomForBoth }: PeekProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { view } = useSearch({ strict: false });
  const isFull = view === 'full' || !hasRoomForBoth;
  const controls = useMemo((): PeekControls => {
    const close = () => {
      list.current?.focusRow();
      void navigate({
        to: '..',
        search: ({ view: _view, selectedSpanNodeId: _span, selectedTraceId: _trace, ...list }) => list,
      });
    };
    const expand = () =>
      void navigate({ to: '.', search: (before) => ({ ...before, view: isFull ? undefined : 'full' }), replace: true });
    return { close, expand: hasRoomForBoth ? expand : undefined, isFull };
  }, [list, navigate, isFull, hasRoomForBoth]);
  useShortcuts('Panel', [
    { keys: 'Escape', label: 'Close the panel', run: controls.close },
    ...(controls.expand === undefined
      ? []
      : [{ keys: 'x', label: isFull ? 'Dock the panel' : 'Expand the panel', run: controls.expand }]),
  ]);
  return (
    <PeekContext value={controls}>
      <div className={styles.peek}>
        {isFull && (
          <div className={styles.peekBar}>
            <Button variant="ghost" size="sm" icon={ArrowLeft} onPress={controls.close}>
              Back to the list
            </Button>
            <span className={styles.spring} />
            <IconButton
              icon={ChevronUp}
              label="Previous"
              shortcut="k"
              size="sm"
              onPress={() => list.current?.step(-1)}
            />
            <IconButton icon={ChevronDown} label="Next" shortcut="j" size="sm" onPress={() => list.current?.step(1)} />
          </div>
        )}
        <ErrorBoundary fallbackTitle="The panel could not be shown" resetKey={pathname}>
          <Suspense>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </div>
    </PeekContext>
  );
}
