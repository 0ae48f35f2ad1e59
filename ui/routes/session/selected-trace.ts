import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

/** The trace of a turn that is shown with the conversation, as the address names it. */
export interface SelectedTrace {
  readonly traceId: string | undefined;
  /** Shows the trace of a turn; `onWholePage` takes the place of the table for both, where they have no room beside it. */
  readonly open: (traceId: string, onWholePage: boolean) => void;
  /** Goes back to the conversation, and to the table if it was there before. */
  readonly close: () => void;
}

/** See {@link SelectedTrace}. */
export function useSelectedTrace(): SelectedTrace {
  const navigate = useNavigate();
  const traceId = useSearch({ strict: false, select: (search) => readTraceId(search) });
  const hasTakenPage = useRef(false);
  function open(wanted: string, onWholePage: boolean): void {
    hasTakenPage.current ||= onWholePage;
    void navigate({
      to: '.',
      search: (search) => ({
        ...search,
        ...(onWholePage && { view: 'full' as const }),
        selectedTraceId: wanted,
        // A span that was selected belongs to the trace that was.
        selectedSpanNodeId: undefined,
      }),
      replace: traceId !== undefined,
      resetScroll: false,
    });
  }
  function close(): void {
    const givesBack = hasTakenPage.current;
    hasTakenPage.current = false;
    void navigate({
      to: '.',
      search: (search) => ({
        ...search,
        ...(givesBack && { view: undefined }),
        selectedTraceId: undefined,
        selectedSpanNodeId: undefined,
      }),
      resetScroll: false,
    });
  }
  return { traceId, open, close };
}

function readTraceId(search: Readonly<Record<string, unknown>>): string | undefined {
  const { selectedTraceId } = search;
  // The router reads numbers as numbers, and some ids look like one.
  if (typeof selectedTraceId === 'number') return String(selectedTraceId);
  return typeof selectedTraceId === 'string' ? selectedTraceId : undefined;
}
