import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useRelayEnvironment } from 'react-relay';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { sessionReader } from './session-queries.ts';
import { SessionSource, type SessionState } from './session-source.ts';

/** A session as far as it is read, kept up to date while it is on the screen. */
export function useSession(
  projectId: string,
  sessionId: string,
): { readonly state: SessionState; readonly source: SessionSource } {
  const environment = useRelayEnvironment();
  const source = useMemo(
    () => new SessionSource(sessionReader(environment, projectId, sessionId)),
    [environment, projectId, sessionId],
  );
  useEffect(() => source.open(), [source]);
  useProjectChanges(projectId, true, (change) => source.refresh(change));
  return { state: useSyncExternalStore(source.subscribe, source.getState), source };
}
