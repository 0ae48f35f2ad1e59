import { useMatches, useParams } from '@tanstack/react-router';
import { TracePanel } from '../trace/trace-panel.tsx';
import { usePeek } from './peek-context.ts';
import { pageOf } from './project-pages.ts';
import { useProjectView } from './project-view.ts';

/** The trace that the address names, beside its table. */
export function TracePeek() {
  const { projectId } = useProjectView();
  const { traceId } = useParams({ strict: false });
  const { close } = usePeek();
  const page = useMatches({ select: (matches) => pageOf(matches[2]?.fullPath) });
  if (traceId === undefined) return null;
  return (
    <TracePanel projectId={projectId} traceId={traceId} listed={page === 'traces' ? 'trace' : 'span'} onClose={close} />
  );
}
