import { useEffectEvent, useMemo } from 'react';
import { takingTurns } from '#ui/lib/live.ts';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { useProjectView } from './project-view.ts';

/** What is computed from all rows is read again at most this often while spans arrive. */
const TURN_MS = 2000;

/** Reads an answer again whenever spans arrive and the page is live; one that takes long is read less often. */
export function useLiveAnswer(read: () => Promise<unknown>): void {
  const { projectId, isLive, keepUp } = useProjectView();
  const act = useEffectEvent(async () => {
    // When the user comes back to the page, a change is announced then.
    if (document.hidden) return;
    keepUp();
    await read();
  });
  const tell = useMemo(() => takingTurns(() => act(), TURN_MS), []);
  useProjectChanges(projectId, isLive, tell);
}
