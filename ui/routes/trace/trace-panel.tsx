import { ArrowLeft, Hourglass, MapPinOff, MousePointerClick } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { Panel } from '#ui/components/panel.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useStored } from '#ui/lib/storage.ts';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import { AnnotateContext } from '../annotate/annotate-context.ts';
import { useAnnotatePanel } from '../annotate/use-annotate-panel.tsx';
import type { TraceFacts } from '../span/model/span-view.ts';
import type { TreeNode } from './model/forest.ts';
import { TraceBanners } from './trace-banners.tsx';
import { TraceHeader } from './trace-header.tsx';
import { TraceSpans } from './trace-spans.tsx';
import { TraceToolbar } from './trace-toolbar.tsx';
import type { TraceState } from './trace-source.ts';
import { hasTreeMetrics, nextView } from './trace-view.ts';
import { useAnnotatedSpans } from './use-annotated-spans.ts';
import { useLinkedSpans } from './use-linked-spans.ts';
import { useRowsExtent } from './use-rows-extent.ts';
import { useSettled } from './use-settled.ts';
import { useTrace } from './use-trace.ts';
import { useTraceTags } from './use-trace-tags.ts';
import { useTraceTree } from './use-trace-tree.ts';
import { useTraceView } from './use-trace-view.ts';
import styles from './trace-panel.module.css';

const SpanDetails = lazy(async () => {
  const { SpanDetails: component } = await import('#ui/routes/span/span-details.tsx');
  return { default: component };
});

/** Narrower than this there is room for the spans or for the details of one, not for both. */
const PHONE_PX = 600;
/** Wider than this details stand beside the spans, else below them. */
const BESIDE_PX = 860;
/** The timeline and the graph want more. */
const TIMELINE_BESIDE_PX = 1200;

/** See {@link TracePanel}. */
export interface TracePanelProps {
  readonly projectId: string;
  /** Hexadecimal. */
  readonly traceId: string;
  /** What the list lists that the trace was opened from: the annotate panel opens for that. */
  readonly listed: 'span' | 'trace' | 'session';
  readonly onClose: () => void;
  /** The way back to the session that it is a turn of, where it is shown as that. */
  readonly back?: ReactNode;
}

/** A trace: its spans as tree, timeline or log, and the details of the one that is selected. It fills its place. */
export function TracePanel(props: TracePanelProps) {
  return (
    <ErrorBoundary fallbackTitle="The trace could not be shown" resetKey={props.traceId}>
      <OpenTrace key={props.traceId} {...props} />
    </ErrorBoundary>
  );
}

function OpenTrace({ projectId, traceId, listed, onClose, back }: TracePanelProps) {
  const { state, retry } = useTrace(projectId, traceId);
  const { forest, summary, phase } = state;
  const tree = useTraceTree(forest, summary?.id);
  const [view, setView] = useTraceView();
  const tags = useTraceTags(summary?.id, summary?.rootName ?? null);
  const sessionId = summary?.session?.sessionId;
  const userId = summary?.userId ?? undefined;
  const traceFacts = useMemo((): TraceFacts => ({ sessionId, userId, tags: tags ?? [] }), [sessionId, userId, tags]);
  const hasMetrics = useStored(hasTreeMetrics);
  const linked = useLinkedSpans(traceId, tree.selected?.span?.id);
  const [hasDetails, setHasDetails] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const width = useElementWidth(body);
  const [spansPane, setSpansPane] = useState<HTMLElement | null>(null);
  // Of the whole tree, so that folding and filtering it leave the line where it is.
  const rowsExtent = useRowsExtent(
    spansPane,
    (view !== 'tree' && view !== 'timeline') || tree.rows.length === 0 ? 0 : forest.nodes.length,
  );
  useShortcuts('Trace', [
    { keys: 'f', label: 'Next error', run: () => tree.stepError('next') },
    { keys: 'Shift+F', label: 'Previous error', run: () => tree.stepError('previous') },
    { keys: 'v', label: 'Tree, timeline, log, time or graph', run: () => setView(nextView(view)) },
  ]);

  const isPhone = width < PHONE_PX;
  const selectedId = tree.selected?.span?.id;
  const session = summary?.session;
  const annotate = useAnnotatePanel({
    projectId,
    targets: { span: selectedId, trace: summary?.id, ...(session != null && { session: session.id }) },
    // Below the root, somebody looks at one span.
    first: (tree.selected?.depth ?? 0) > 0 ? 'span' : listed,
    widthPx: width,
    isPhone,
  });
  const annotated = useAnnotatedSpans(summary?.id, annotate.opener.version);
  const isBeside = annotate.restPx >= (view === 'timeline' || view === 'graph' ? TIMELINE_BESIDE_PX : BESIDE_PX);
  const isLoading = phase === 'opening' || phase === 'loading';
  const name = revealHidden(summary?.rootName ?? traceId.slice(0, 8));
  return (
    <AnnotateContext value={annotate.opener}>
      <Panel label={`Trace ${name}`} className={styles.panel}>
        <ProgressLine isActive={isLoading} label="Loading spans" />
        <TraceHeader
          projectId={projectId}
          traceId={traceId}
          summary={summary}
          isLoading={isLoading}
          forest={forest}
          tags={tags}
          onClose={onClose}
          back={back}
        />
        <TraceBanners state={state} isSpanMissing={tree.isAddressedMissing} onRetry={retry} />
        <div ref={body} className={styles.body}>
          {forest.nodes.length === 0 ? (
            <Nothing state={state} onRetry={retry} onClose={onClose} />
          ) : (
            width > 0 && (
              <SplitPane
                id={`trace.${isBeside ? 'beside' : 'below'}.${view}`}
                key={`${isBeside}${view}`}
                orientation={isBeside ? 'horizontal' : 'vertical'}
                defaultSize={view === 'timeline' ? 56 : 46}
                min={200}
                primaryExtent={isBeside ? undefined : rowsExtent}
                label="Resize details"
                only={isPhone ? (hasDetails ? 'secondary' : 'primary') : undefined}
                primary={
                  <div ref={setSpansPane} className={styles.primary}>
                    <TraceToolbar
                      tree={tree}
                      view={view}
                      onViewChange={setView}
                      hasMetrics={hasMetrics}
                      onMetricsChange={hasTreeMetrics.set}
                    />
                    <TraceSpans
                      tree={tree}
                      view={view}
                      hasMetrics={hasMetrics}
                      linked={linked}
                      annotated={annotated}
                      label={`Spans of ${name}`}
                      onOpen={() => setHasDetails(true)}
                      onShowTree={() => setView('tree')}
                    />
                  </div>
                }
                secondary={
                  <div className={styles.details}>
                    {isPhone && (
                      <Button
                        className={styles.back}
                        variant="ghost"
                        icon={ArrowLeft}
                        onPress={() => setHasDetails(false)}
                      >
                        All spans
                      </Button>
                    )}
                    {annotate.place === 'above' && annotate.panel}
                    <Details node={tree.selected} traceFacts={traceFacts} />
                  </div>
                }
              />
            )
          )}
          {annotate.place === 'beside' && annotate.panel}
        </div>
        <VisuallyHidden>
          <span aria-live="polite">{tree.announcement}</span>
        </VisuallyHidden>
        {annotate.place === 'sheet' && annotate.panel}
      </Panel>
    </AnnotateContext>
  );
}

interface DetailsProps {
  readonly node: TreeNode | undefined;
  readonly traceFacts: TraceFacts;
}

/** Details of a span that somebody rests on. */
function Details({ node, traceFacts }: DetailsProps) {
  const id = useSettled(node?.span?.id);
  if (node !== undefined && node.span === null) {
    return (
      <EmptyState icon={Hourglass} title="This span has not been received">
        Other spans name <code>{node.key}</code> as their parent. It may still be running, or it was sent elsewhere. It
        appears here as soon as it arrives.
      </EmptyState>
    );
  }
  if (id === undefined) return <EmptyState icon={MousePointerClick} title="No span is selected" />;
  return (
    <ErrorBoundary fallbackTitle="The details could not be shown" resetKey={id}>
      <Suspense fallback={<DetailsSkeleton />}>
        <SpanDetails spanNodeId={id} traceFacts={traceFacts} />
      </Suspense>
    </ErrorBoundary>
  );
}

function DetailsSkeleton() {
  return (
    <div className={styles.skeleton}>
      <Skeleton width="40%" height="20px" />
      <Skeleton lines={4} />
    </div>
  );
}

interface NothingProps extends Pick<TracePanelProps, 'onClose'> {
  readonly state: TraceState;
  readonly onRetry: () => void;
}

function Nothing({ state, onRetry, onClose }: NothingProps) {
  switch (state.phase) {
    case 'opening':
    case 'loading':
      return <TreeSkeleton />;
    case 'failed':
      return <ErrorState title="The trace could not be loaded" error={state.error} onRetry={onRetry} />;
    case 'missing':
    case 'complete':
      return (
        <EmptyState
          icon={MapPinOff}
          title={state.summary === null ? 'There is no such trace in this project' : 'This trace was deleted'}
          action={<Button onPress={onClose}>Back to the list</Button>}
        >
          {state.summary === null
            ? 'It may have been deleted, by a person or by the project’s retention policy, or the address is mistyped. If the trace has not arrived yet, it appears here with its first span.'
            : 'The trace was deleted or moved to another project while you were viewing it. If more spans arrive for it, it is created again.'}
        </EmptyState>
      );
    default:
      return state.phase satisfies never;
  }
}

function TreeSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden>
      {[62, 48, 55, 40, 51, 36, 44, 58].map((width) => (
        <Skeleton key={width} width={`${width}%`} height="14px" />
      ))}
    </div>
  );
}
