import { useParams } from '@tanstack/react-router';
import { TracePanel } from '../trace/trace-panel.tsx';
import { usePeek } from './peek-context.ts';
import { useProjectView } from './project-view.ts';

/** The trace that the address names, beside its table. */
export function TracePeek() {
  const { projectId } = useProjectView();
  const { traceId } = useParams({ strict: false });
  const { close } = usePeek();
  if (traceId === undefined) return null;
  return <TracePanel projectId={projectId} traceId={traceId} onClose={close} />;
}
