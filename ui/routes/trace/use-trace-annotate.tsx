import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { AnnotateOpener } from '../annotate/annotate-context.ts';
import { documentPositionOf, type Target, type TargetChoice } from '../annotate/model/target.ts';
import { useAnnotate } from '../annotate/use-annotate.ts';

const AnnotatePanel = lazy(async () => ({
  default: (await import('#ui/routes/annotate/annotate-panel.tsx')).AnnotatePanel,
}));

/** Wider than this the annotate panel stands beside spans and details, else below the details. */
const BESIDE_PX = 1080;
/** What it takes then. */
const PANEL_PX = 320;

/** What can be annotated here; ids are global, and undefined where there is none or it is not known yet. */
export interface TraceTargets {
  readonly projectId: string;
  readonly spanId: string | undefined;
  readonly traceId: string | undefined;
  readonly sessionId: string | undefined;
}

/** The annotate panel of a trace, and where it stands. */
export interface TraceAnnotate {
  readonly opener: AnnotateOpener;
  /** Undefined while it is closed. */
  readonly place: 'beside' | 'below' | 'sheet' | undefined;
  readonly panel: ReactNode;
  /** What spans and details have of the width. */
  readonly restPx: number;
}

/** See {@link TraceAnnotate}. */
export function useTraceAnnotate(targets: TraceTargets, widthPx: number, isPhone: boolean): TraceAnnotate {
  const { projectId, spanId, traceId, sessionId } = targets;
  const { choice, open, close } = useAnnotate(spanId === undefined ? 'trace' : 'span');
  const [version, setVersion] = useState(0);
  const opener = useMemo(() => ({ open, version }), [open, version]);
  const target = useMemo(
    () => (choice === undefined ? undefined : targetOf(choice, { spanId, traceId, sessionId })),
    [choice, spanId, traceId, sessionId],
  );
  if (choice === undefined) return { opener, place: undefined, panel: null, restPx: widthPx };
  const place = isPhone ? 'sheet' : widthPx >= BESIDE_PX ? 'beside' : 'below';
  const panel = (
    <Suspense>
      <AnnotatePanel
        projectId={projectId}
        target={target}
        choice={choice}
        choices={choicesOf(choice, sessionId !== undefined)}
        onChoose={open}
        onClose={close}
        onChanged={() => setVersion((before) => before + 1)}
        place={place}
      />
    </Suspense>
  );
  return { opener, place, panel, restPx: place === 'beside' ? widthPx - PANEL_PX : widthPx };
}

function targetOf(choice: TargetChoice, ids: Omit<TraceTargets, 'projectId'>): Target | undefined {
  const position = documentPositionOf(choice);
  if (position !== undefined) return ids.spanId && { kind: 'document', id: ids.spanId, position };
  const kind = choice as 'span' | 'trace' | 'session';
  const id = { span: ids.spanId, trace: ids.traceId, session: ids.sessionId }[kind];
  return id === undefined ? undefined : { kind, id };
}

function choicesOf(choice: TargetChoice, hasSession: boolean) {
  const position = documentPositionOf(choice);
  return [
    ...(position === undefined ? [] : [{ id: choice, label: `Document ${position}` }]),
    { id: 'span' as const, label: 'Span' },
    { id: 'trace' as const, label: 'Trace' },
    ...(hasSession ? [{ id: 'session' as const, label: 'Session' }] : []),
  ];
}
