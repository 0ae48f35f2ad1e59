import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useStored } from '#ui/lib/storage.ts';
import { lastTraceView, type TraceView } from './trace-view.ts';

/** How the trace is shown, and a way to show it otherwise. The address always says it, so that a copied link shows the same. */
export function useTraceView(): readonly [TraceView, (view: TraceView) => void] {
  const navigate = useNavigate();
  const addressed = useSearch({ strict: false, select: (search) => search.traceView });
  const last = useStored(lastTraceView);
  const view = addressed ?? last;
  useEffect(() => {
    if (addressed !== undefined) return;
    void navigate({
      to: '.',
      search: (search) => ({ ...search, traceView: last }),
      replace: true,
      resetScroll: false,
    });
  }, [addressed, last, navigate]);
  function choose(next: TraceView): void {
    lastTraceView.set(next);
    void navigate({
      to: '.',
      search: (search) => ({ ...search, traceView: next }),
      replace: true,
      resetScroll: false,
    });
  }
  return [view, choose];
}
