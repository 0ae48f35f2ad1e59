/** Judging without sight of what others have said: parts of the page below leave it out. */
import { createContext, useContext, useMemo } from 'react';
import { useViewer } from '#ui/lib/viewer.ts';
import { isOwn, type Judgement } from './model/judgements.ts';

/** Names of annotations of which only one's own are shown. */
export const BlindContext = createContext<ReadonlySet<string>>(new Set());

/** The annotations that may be seen here. */
export function useSeen(annotations: readonly Judgement[]): readonly Judgement[] {
  const hidden = useContext(BlindContext);
  const viewerId = useViewer()?.id ?? null;
  return useMemo(
    () =>
      hidden.size === 0 ? annotations : annotations.filter((one) => !hidden.has(one.name) || isOwn(one, viewerId)),
    [hidden, annotations, viewerId],
  );
}
