import { MapPinOff } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { PanelPlace } from '../../project/panel-place.tsx';
import styles from './review-page.module.css';
import type { HeldItem } from './use-review.ts';

const TracePanel = lazy(async () => ({ default: (await import('../../trace/trace-panel.tsx')).TracePanel }));
const SessionPanel = lazy(async () => ({ default: (await import('../../session/session-panel.tsx')).SessionPanel }));

/** See {@link ReviewTarget}. */
export interface ReviewTargetProps {
  readonly target: HeldItem['target'];
  readonly onClose: () => void;
}

type Look = 'trace' | 'session';

const LOOKS = [
  { id: 'trace', label: 'Trace' },
  { id: 'session', label: 'Whole session' },
] as const satisfies readonly { readonly id: Look; readonly label: string }[];

/** What is judged: a span within its trace, a trace, or a session; of a turn the whole session as well. */
export function ReviewTarget({ target, onClose }: ReviewTargetProps) {
  const place = placeOf(target);
  const [look, setLook] = useState<Look>('trace');
  const hasBoth = place?.traceId !== undefined && place.sessionId !== undefined;
  useShortcuts(
    'Review',
    hasBoth
      ? [
          {
            keys: 'c',
            label: 'The trace, or its whole session',
            run: () => setLook(look === 'trace' ? 'session' : 'trace'),
          },
        ]
      : [],
  );
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
      {hasBoth && (
        <div className={styles.look}>
          <SegmentedControl label="Context" items={LOOKS} selectedKey={look} onSelectionChange={setLook} />
        </div>
      )}
      <Suspense fallback={<ProgressLine isActive label="Loading the item" />}>
        {traceId !== undefined && (look === 'trace' || sessionId === undefined) ? (
          <TracePanel
            projectId={projectId}
            traceId={traceId}
            listed={target?.__typename === 'Span' ? 'span' : 'trace'}
            onClose={onClose}
          />
        ) : (
          sessionId !== undefined && <SessionPanel projectId={projectId} sessionId={sessionId} onClose={onClose} />
        )}
      </Suspense>
    </PanelPlace>
  );
}

interface Place {
  readonly projectId: string;
  /** Absent of a session. */
  readonly traceId?: string;
  /** Absent of a trace without one. */
  readonly sessionId?: string | undefined;
}

function placeOf(target: HeldItem['target']): Place | undefined {
  switch (target?.__typename) {
    case 'Span': {
      const { project, traceId, session } = target.trace;
      return { projectId: project.id, traceId, sessionId: session?.id };
    }
    case 'Trace':
      return { projectId: target.project.id, traceId: target.traceId, sessionId: target.session?.id };
    case 'ProjectSession':
      return { projectId: target.project.id, sessionId: target.id };
    default:
      return undefined;
  }
}
