import { type ReactNode, useMemo } from 'react';
import { DEFAULT_TIME_RANGE } from '#ui/lib/time-range.ts';
import { CoverContext } from './cover.ts';
import { PeekContext } from './peek-context.ts';
import { type ProjectView, ProjectViewContext } from './project-view.ts';

/** See {@link PanelPlace}. */
export interface PanelPlaceProps {
  readonly projectId: string;
  /** Called where the panel is closed, and where what it shows was deleted. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A place for the panel of a trace or session on a page that is not one of its project's. */
export function PanelPlace({ projectId, onClose, children }: PanelPlaceProps) {
  const view = useMemo((): ProjectView => ({ ...NO_PAGE, projectId }), [projectId]);
  const peek = useMemo(() => ({ close: onClose, expand: undefined, step: ignore, isFull: false }), [onClose]);
  return (
    <ProjectViewContext value={view}>
      <CoverContext value={NO_COVER}>
        <PeekContext value={peek}>{children}</PeekContext>
      </CoverContext>
    </ProjectViewContext>
  );
}

function ignore(): void {
  // There is no list to go on in, and nothing around the panel to read again.
}

const NO_COVER = { actionsPlace: null, setTitle: ignore };

const NO_PAGE: Omit<ProjectView, 'projectId'> = {
  range: DEFAULT_TIME_RANGE,
  timeRange: {},
  refreshCount: 0,
  canLive: false,
  isLive: false,
  toolPlace: null,
  setRange: ignore,
  refresh: ignore,
  reportMissing: ignore,
  isNew: false,
  reportNew: ignore,
  keepUp: ignore,
};
