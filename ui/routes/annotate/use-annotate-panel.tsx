import { lazy, type ReactNode, Suspense, useContext, useMemo, useState } from 'react';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { type AnnotateOpener, JudgingPlaceContext } from './annotate-context.ts';
import { documentPositionOf, type Target, type TargetChoice } from './model/target.ts';
import { useAnnotate } from './use-annotate.ts';

const AnnotatePanel = lazy(async () => ({ default: (await import('./annotate-panel.tsx')).AnnotatePanel }));

/** Wider than this the panel stands beside what is annotated, else above it. */
const BESIDE_PX = 1080;
/** What it takes then. */
const PANEL_PX = 320;

/** What can be annotated on a page, the smallest first: global ids, undefined for what is not known yet. */
export type Targets = Partial<Readonly<Record<'span' | 'trace' | 'session', string | undefined>>>;

/** See {@link useAnnotatePanel}. */
export interface AnnotatePanelOptions {
  readonly projectId: string;
  readonly targets: Targets;
  /** What the key opens the panel for, where there is such a thing; else for the trace. */
  readonly first: 'span' | 'trace' | 'session';
  readonly widthPx: number;
  readonly isPhone: boolean;
}

/** The annotate panel of a page, and where it stands. */
export interface PlacedPanel {
  readonly opener: AnnotateOpener;
  /** Undefined while it is closed. */
  readonly place: 'beside' | 'above' | 'sheet' | undefined;
  readonly panel: ReactNode;
  /** What it leaves of the width. */
  readonly restPx: number;
}

const LABELS = { span: 'Span', trace: 'Trace', session: 'Session' } as const;

/** Opens the annotate panel by key, by address, and for the parts of the page that know its opener. */
export function useAnnotatePanel({ projectId, targets, first, widthPx, isPhone }: AnnotatePanelOptions): PlacedPanel {
  const keyed = targets[first] === undefined && 'trace' in targets ? 'trace' : first;
  const { choice: addressed, open, close } = useAnnotate(keyed);
  const [version, setVersion] = useState(0);
  const placeVersion = useContext(JudgingPlaceContext)?.version ?? 0;
  const opener = useMemo(
    () => ({ open, version: version + placeVersion, keyed }),
    [open, version, placeVersion, keyed],
  );
  const offered = (Object.keys(LABELS) as (keyof typeof LABELS)[]).filter((kind) => kind in targets);
  const choice = addressed === undefined || isOffered(addressed, targets) ? addressed : keyed;
  const { span, trace, session } = targets;
  useShortcuts(
    'Annotate',
    choice === undefined || offered.length < 2
      ? []
      : [{ keys: 'Shift+E', label: 'Annotate span, trace or session', run: () => open(after(offered, choice)) }],
  );
  const target = useMemo(
    () => (choice === undefined ? undefined : targetOf(choice, { span, trace, session })),
    [choice, span, trace, session],
  );
  if (choice === undefined) return { opener, place: undefined, panel: null, restPx: widthPx };
  const position = documentPositionOf(choice);
  const choices = [
    ...(position === undefined ? [] : [{ id: choice, label: `Document ${position + 1}` }]),
    ...offered.map((kind) => ({ id: kind, label: LABELS[kind] })),
  ];
  const place = isPhone ? 'sheet' : widthPx >= BESIDE_PX ? 'beside' : 'above';
  const panel = (
    <Suspense>
      <AnnotatePanel
        projectId={projectId}
        target={target}
        choice={choice}
        choices={choices}
        onChoose={open}
        onClose={close}
        onChanged={() => setVersion((before) => before + 1)}
        place={place}
      />
    </Suspense>
  );
  return { opener, place, panel, restPx: place === 'beside' ? widthPx - PANEL_PX : widthPx };
}

/** The kind after the one that is chosen, and after the last the first. */
function after(offered: readonly (keyof typeof LABELS)[], choice: TargetChoice): TargetChoice {
  const at = offered.findIndex((kind) => kind === choice);
  return offered[(at + 1) % offered.length] ?? choice;
}

function isOffered(choice: TargetChoice, targets: Targets): boolean {
  return documentPositionOf(choice) === undefined ? choice in targets : 'span' in targets;
}

function targetOf(choice: TargetChoice, targets: Targets): Target | undefined {
  const position = documentPositionOf(choice);
  if (position !== undefined) {
    return targets.span === undefined ? undefined : { kind: 'document', id: targets.span, position };
  }
  const kind = choice as keyof Targets;
  const id = targets[kind];
  return id === undefined ? undefined : { kind, id };
}
