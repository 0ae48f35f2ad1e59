import { useParams } from '@tanstack/react-router';
import { SessionPanel } from '../session/session-panel.tsx';
import { usePeek } from './peek-context.ts';
import { useProjectView } from './project-view.ts';

/** The session that the address names, beside its table. */
export function SessionPeek() {
  const { projectId } = useProjectView();
  const { sessionId } = useParams({ strict: false });
  const { close } = usePeek();
  if (sessionId === undefined) return null;
  return <SessionPanel projectId={projectId} sessionId={sessionId} onClose={close} />;
}
