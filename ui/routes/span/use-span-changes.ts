import { useEffect, useRef, useTransition } from 'react';
import { useProjectChanges } from '#ui/lib/project-changes.ts';

/** What tells when a span may have changed. */
export interface WatchedSpan {
  readonly endTime: string | null | undefined;
  /** JSON. */
  readonly attributes: string;
  readonly context: { readonly traceId: string };
  readonly trace: { readonly projectId: string };
}

/** A span that had ended seldom comes again, so its trace may rest first. */
const REST_MS = 1500;
/** Larger ones are read again when they are looked at again. */
const MAX_LETTERS = 200_000;

/** Calls `onChange`, in a transition, when an open span may have changed, or one that had ended was perhaps sent again. */
export function useSpanChanges(span: WatchedSpan | undefined, onChange: () => void): void {
  const [, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOpen = span !== undefined && span.endTime == null;
  const isWatched = isOpen || (span !== undefined && span.attributes.length <= MAX_LETTERS);
  useEffect(() => () => clearTimeout(timer.current), []);
  useProjectChanges(span?.trace.projectId ?? '', isWatched, (change) => {
    if (span === undefined || (change === null ? !isOpen : !change.includes(span.context.traceId))) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => startTransition(onChange), isOpen ? 0 : REST_MS);
  });
}
