import { MapPinOff } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { PanelPlace } from '../../project/panel-place.tsx';
import type { HeldItem } from './use-review.ts';

const TracePanel = lazy(async () => ({ default: (await import('../../trace/trace-panel.tsx')).TracePanel }));
const SessionPanel = lazy(async () => ({ default: (await import('../../session/session-panel.tsx')).SessionPanel }));

/** See {@link ReviewTarget}. */
export interface ReviewTargetProps {
  readonly target: HeldItem['target'];
  readonly onClose: () => void;
}

/** What is judged: a span within its trace, a trace, or a session. */
export function ReviewTarget({ target, onClose }: ReviewTargetProps) {
  const place = placeOf(target);
  if (place === undefined) {
    return (
      <EmptyState icon={MapPinOff} title="It is gone">
        What this item is about was deleted. Skip it.
      </EmptyState>
    );
  }
  const { projectId, traceId, sessionId } = place;
  return (
    <PanelPlace projectId={projectId} onClose={onClose}>
      <Suspense fallback={<ProgressLine isActive label="Loading the item" />}>
        {sessionId === undefined ? (
          <TracePanel projectId={projectId} traceId={traceId} onClose={onClose} />
        ) : (
          <SessionPanel projectId={projectId} sessionId={sessionId} onClose={onClose} />
        )}
      </Suspense>
    </PanelPlace>
  );
}

type Place =
  | { readonly projectId: string; readonly traceId: string; readonly sessionId?: undefined }
  | { readonly projectId: string; readonly sessionId: string; readonly traceId?: undefined };

function placeOf(target: HeldItem['target']): Place | undefined {
  switch (target?.__typename) {
    case 'Span':
      return { projectId: target.trace.project.id, traceId: target.trace.traceId };
    case 'Trace':
      return { projectId: target.project.id, traceId: target.traceId };
    case 'ProjectSession':
      return { projectId: target.project.id, sessionId: target.id };
    default:
      return undefined;
  }
}
