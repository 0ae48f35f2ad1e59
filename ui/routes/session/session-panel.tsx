import { ArrowLeft, MapPinOff, MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { Panel } from '#ui/components/panel.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { AnnotateContext } from '../annotate/annotate-context.ts';
import { useAnnotatePanel } from '../annotate/use-annotate-panel.tsx';
import { usePeek } from '../project/peek-context.ts';
import { Conversation } from './conversation.tsx';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import { useSelectedTrace } from './selected-trace.ts';
import { SessionHeader } from './session-header.tsx';
import styles from './session-panel.module.css';
import type { SessionState } from './session-source.ts';
import { useSession } from './use-session.ts';

const TracePanel = lazy(async () => ({ default: (await import('#ui/routes/trace/trace-panel.tsx')).TracePanel }));

/** Narrower than this the annotate panel is a sheet. */
const PHONE_PX = 600;
/** Narrower than this a trace takes the place of the conversation. */
const BESIDE_PX = 900;

/** See {@link SessionPanel}. */
export interface SessionPanelProps {
  readonly projectId: string;
  /** Global node id. */
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** A session as the conversation that it was, and beside it the trace of a turn. It fills its place. */
export function SessionPanel(props: SessionPanelProps) {
  return (
    <ErrorBoundary fallbackTitle="The session could not be shown" resetKey={props.sessionId}>
      <OpenSession key={props.sessionId} {...props} />
    </ErrorBoundary>
  );
}

function OpenSession({ projectId, sessionId, onClose }: SessionPanelProps) {
  const { state, source } = useSession(projectId, sessionId);
  const { isFull, expand } = usePeek();
  const trace = useSelectedTrace();
  const body = useRef<HTMLDivElement>(null);
  const width = useElementWidth(body);
  const hasTrace = trace.traceId !== undefined;
  const hasRoom = width >= BESIDE_PX;
  const only = hasTrace ? (hasRoom ? undefined : 'secondary') : 'primary';
  // Beside the table there is no room for conversation and trace.
  const needsPage = !isFull && expand !== undefined && !hasRoom;
  // The trace beside the conversation has the panel, for the session as well.
  const isPhone = width < PHONE_PX;
  const annotate = useAnnotatePanel({
    projectId,
    targets: { session: sessionId },
    first: 'session',
    widthPx: width,
    isPhone,
  });
  const panel = hasTrace ? null : annotate.panel;
  const selectTrace = (traceId: string | null) => (traceId === null ? trace.close() : trace.open(traceId, needsPage));
  return (
    <AnnotateContext value={annotate.opener}>
      <Panel label={`Session ${revealHidden(state.summary?.sessionId ?? '')}`} className={styles.panel}>
        <ProgressLine isActive={state.phase === 'opening' || state.phase === 'loading'} label="Loading turns" />
        <SessionHeader sessionId={sessionId} summary={state.summary} hasFacts={only !== 'secondary'} />
        <div ref={body} className={styles.body}>
          <SplitPane
            id="session"
            defaultSize={40}
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
                  selectedTraceId={trace.traceId}
                  onSelectTrace={selectTrace}
                />
              )
            }
            secondary={
              trace.traceId !== undefined && (
                <ErrorBoundary fallbackTitle="The trace could not be shown" resetKey={trace.traceId}>
                  <Suspense fallback={<Waiting />}>
                    <TracePanel
                      projectId={projectId}
                      traceId={trace.traceId}
                      listed="session"
                      onClose={trace.close}
                      back={<BackToTurn state={state} traceId={trace.traceId} onPress={trace.close} />}
                    />
                  </Suspense>
                </ErrorBoundary>
              )
            }
          />
          {annotate.place === 'beside' && panel}
        </div>
        {annotate.place !== 'beside' && panel}
      </Panel>
    </AnnotateContext>
  );
}

interface BackToTurnProps {
  readonly state: SessionState;
  readonly traceId: string;
  readonly onPress: () => void;
}

/** Says which turn the trace is, and closes it. */
function BackToTurn({ state, traceId, onPress }: BackToTurnProps) {
  const at = state.turns.findIndex((turn) => turn.traceId === traceId);
  return (
    <Button variant="ghost" size="sm" icon={ArrowLeft} tooltip="Back to the conversation" onPress={onPress}>
      {at === -1 || state.summary === null
        ? 'Conversation'
        : `Turn ${formatExact(at + 1)} of ${formatExact(state.summary.turnCount)}`}
    </Button>
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
          action={<Button onPress={onClose}>Back to the sessions</Button>}
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
    <section className={styles.waiting} aria-busy="true" aria-label="Loading">
      <Skeleton width="30%" />
      <Skeleton height={64} />
      <Skeleton lines={4} />
    </section>
  );
}
