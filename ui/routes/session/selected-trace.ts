import { useNavigate, useSearch } from '@tanstack/react-router';

/** The trace that is shown beside the conversation, as the address names it; null closes it. */
export function useSelectedTrace(): readonly [string | undefined, (traceId: string | null) => void] {
  const navigate = useNavigate();
  const selected = useSearch({ strict: false, select: (search) => readTraceId(search) });
  function select(traceId: string | null): void {
    void navigate({
      to: '.',
      // A span that was selected belongs to the trace that was.
      search: (search) => ({ ...search, selectedTraceId: traceId ?? undefined, selectedSpanNodeId: undefined }),
      replace: selected !== undefined && traceId !== null,
      resetScroll: false,
    });
  }
  return [selected, select];
}

function readTraceId(search: Readonly<Record<string, unknown>>): string | undefined {
  const { selectedTraceId } = search;
  // The router reads numbers as numbers, and some ids look like one.
  if (typeof selectedTraceId === 'number') return String(selectedTraceId);
  return typeof selectedTraceId === 'string' ? selectedTraceId : undefined;
}
