import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useRelayEnvironment } from 'react-relay';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { traceReader } from './trace-queries.ts';
import { TraceSource, type TraceState } from './trace-source.ts';

/** A trace as far as it is read, kept up to date while it is on the screen. */
export function useTrace(
  projectId: string,
  traceId: string,
): { readonly state: TraceState; readonly retry: () => void } {
  const environment = useRelayEnvironment();
  const source = useMemo(
    () => new TraceSource(traceReader(environment, projectId, traceId)),
    [environment, projectId, traceId],
  );
  useEffect(() => source.open(), [source]);
  useProjectChanges(projectId, true, (change) => {
    if (change === null || change.includes(traceId)) source.refresh(change !== null);
  });
  return { state: useSyncExternalStore(source.subscribe, source.getState), retry: source.retry };
}
