import { MapPinOff, MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { Panel } from '#ui/components/panel.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { Conversation } from './conversation.tsx';
import { useElementWidth } from '../trace/use-element-width.ts';
import { useSelectedTrace } from './selected-trace.ts';
import { SessionHeader } from './session-header.tsx';
import styles from './session-panel.module.css';
import type { SessionState } from './session-source.ts';
import { useSession } from './use-session.ts';

const TracePanel = lazy(async () => ({ default: (await import('#ui/routes/trace/trace-panel.tsx')).TracePanel }));

/** Narrower than this a trace takes the place of the conversation. */
const BESIDE_PX = 900;

/** See {@link SessionPanel}. */
export interface SessionPanelProps {
  readonly projectId: string;
  /** Global node id. */
  readonly sessionId: string;
  readonly onClose?: (() => void) | undefined;
  /** Between beside the table and on the whole page. */
  readonly onExpand?: (() => void) | undefined;
  readonly isFullPage?: boolean | undefined;
}

/** A session as the conversation that it was, and beside it the trace of a turn. It fills its place. */
export function SessionPanel(props: SessionPanelProps) {
  return (
    <ErrorBoundary fallbackTitle="The session could not be shown" resetKey={props.sessionId}>
      <OpenSession key={props.sessionId} {...props} />
    </ErrorBoundary>
  );
}

function OpenSession({ projectId, sessionId, onClose, onExpand, isFullPage = false }: SessionPanelProps) {
  const { state, source } = useSession(projectId, sessionId);
  const [selectedTraceId, selectTrace] = useSelectedTrace();
  const body = useRef<HTMLDivElement>(null);
  const width = useElementWidth(body);
  const hasTrace = selectedTraceId !== undefined;
  const only = hasTrace ? (width < BESIDE_PX ? 'secondary' : undefined) : 'primary';
  return (
    <Panel label={`Session ${revealHidden(state.summary?.sessionId ?? '')}`} className={styles.panel}>
      <ProgressLine isActive={state.phase === 'opening' || state.phase === 'loading'} label="Loading turns" />
      <SessionHeader summary={state.summary} onClose={onClose} onExpand={onExpand} isFullPage={isFullPage} />
      <div ref={body} className={styles.body}>
        <SplitPane
          id="session"
          defaultSize={44}
          min={320}
          label="Resize the trace"
          only={only}
          primary={
            state.turns.length === 0 ? (
              <Nothing state={state} onRetry={source.retry} onClose={onClose} />
            ) : (
              <Conversation
                state={state}
                source={source}
                selectedTraceId={selectedTraceId}
                onSelectTrace={selectTrace}
              />
            )
          }
          secondary={
            hasTrace && (
              <ErrorBoundary fallbackTitle="The trace could not be shown" resetKey={selectedTraceId}>
                <Suspense fallback={<Waiting />}>
                  <TracePanel projectId={projectId} traceId={selectedTraceId} onClose={() => selectTrace(null)} />
                </Suspense>
              </ErrorBoundary>
            )
          }
        />
      </div>
    </Panel>
  );
}

interface NothingProps extends Pick<SessionPanelProps, 'onClose'> {
  readonly state: SessionState;
  readonly onRetry: () => void;
}

function Nothing({ state, onRetry, onClose }: NothingProps) {
  switch (state.phase) {
    case 'opening':
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <ErrorState title="The session could not be loaded" error={state.error} onRetry={onRetry} />;
    case 'missing':
      return (
        <EmptyState
          icon={MapPinOff}
          title="There is no such session in this project"
          action={onClose !== undefined && <Button onPress={onClose}>Back to the sessions</Button>}
        >
          The address may be mistyped, or the session was deleted.
        </EmptyState>
      );
    case 'ready':
      return <EmptyState icon={MessagesSquare} title="The session has no turns" />;
    default:
      return state.phase satisfies never;
  }
}

function Waiting() {
  return (
    <div className={styles.waiting} aria-busy="true" aria-label="Loading">
      <Skeleton width="30%" />
      <Skeleton height={64} />
      <Skeleton lines={4} />
    </div>
  );
}
