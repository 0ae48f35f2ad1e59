import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState, useTransition } from 'react';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { isNodeId } from '#ui/lib/node-id.ts';
import { useStored } from '#ui/lib/storage.ts';
import {
  driftMs,
  reachesNow,
  readTimeRange,
  resolveTimeRange,
  type TimeRange,
  writeTimeRange,
} from '#ui/lib/time-range.ts';
import { NotFound } from '../not-found/not-found-page.tsx';
import { CoverContext } from './cover.ts';
import { MissingProject } from './missing-project.tsx';
import { ProjectHeader } from './project-header.tsx';
import styles from './project.module.css';
import { useIsCovered } from './use-is-covered.ts';
import { liveChoice, type ProjectView, ProjectViewContext } from './project-view.ts';
import { rememberedRange, rememberRange } from './remembered.ts';

const MINUTE_MS = 60_000;

/** A project, where there is one. */
export function ProjectLayout() {
  const { projectId } = useParams({ from: '/projects/$projectId' });
  // Whichever part of the page hears of it first: the header, the counts or the table.
  const [missingId, setMissingId] = useState<string>();
  if (missingId === projectId || !isNodeId('Project', projectId)) {
    return (
      <NotFound title="There is no such project">The address may be mistyped, or the project was deleted.</NotFound>
    );
  }
  return <ProjectFrame projectId={projectId} onMissing={setMissingId} />;
}

interface ProjectFrameProps {
  readonly projectId: string;
  /** Told the id of a project that is not there. */
  readonly onMissing: (projectId: string) => void;
}

/** What stands around the tables of a project. */
function ProjectFrame({ projectId, onMissing }: ProjectFrameProps) {
  const [toolPlace, setToolPlace] = useState<HTMLElement | null>(null);
  const [actionsPlace, setActionsPlace] = useState<HTMLElement | null>(null);
  const [coverTitle, setTitle] = useState<string>();
  const cover = useMemo(() => ({ actionsPlace, setTitle }), [actionsPlace]);
  const view = useView(projectId, toolPlace, onMissing);
  return (
    <ProjectViewContext value={view}>
      <div className={styles.layout}>
        <ErrorBoundary
          fallbackTitle="The project could not be loaded"
          resetKey={projectId}
          missing={<MissingProject />}
        >
          <Suspense fallback={<HeaderPlace />}>
            <ProjectHeader onToolPlace={setToolPlace} coverTitle={coverTitle} onActionsPlace={setActionsPlace} />
          </Suspense>
        </ErrorBoundary>
        <CoverContext value={cover}>
          <Outlet />
        </CoverContext>
      </div>
    </ProjectViewContext>
  );
}

/** Keeps the place of the header, in its height. */
function HeaderPlace() {
  const isCovered = useIsCovered();
  return (
    <div className={styles.headerPlace} data-covered={isCovered || undefined}>
      <Skeleton width="180px" height="14px" />
    </div>
  );
}

function useView(
  projectId: string,
  toolPlace: HTMLElement | null,
  onMissing: ProjectFrameProps['onMissing'],
): ProjectView {
  const search = useSearch({ from: '/projects/$projectId' });
  const navigate = useNavigate();
  const isLive = useStored(liveChoice);
  const [seenAt, setSeenAt] = useState(() => ({ ms: Date.now(), count: 0 }));
  const [newId, setNewId] = useState<string>();
  const [, startTransition] = useTransition();
  const { range: key, start, end } = search;
  const named = useMemo(() => readTimeRange({ range: key, start, end }), [key, start, end]);
  const range = useMemo(() => named ?? rememberedRange(), [named]);

  // The address always says which time is shown, so that a copied link shows the same.
  useEffect(() => {
    if (named === undefined)
      void navigate({ to: '.', search: (before) => ({ ...before, ...writeTimeRange(range) }), replace: true });
  }, [named, range, navigate]);

  return useMemo((): ProjectView => {
    // In whole minutes, so that a page that is left and entered again finds what it has read.
    const resolvedAt = Math.floor(seenAt.ms / MINUTE_MS) * MINUTE_MS;
    const moveTo = (ms: number, count: number) => startTransition(() => setSeenAt({ ms, count }));
    return {
      projectId,
      range,
      timeRange: resolveTimeRange(range, resolvedAt),
      refreshCount: seenAt.count,
      canLive: reachesNow(range, seenAt.ms),
      isLive: isLive && reachesNow(range, seenAt.ms),
      toolPlace,
      setRange: (next: TimeRange) => {
        rememberRange(next);
        startTransition(() => setSeenAt((before) => ({ ...before, ms: Date.now() })));
        void navigate({ to: '.', search: (before) => ({ ...before, ...writeTimeRange(next) }) });
      },
      refresh: () => moveTo(Date.now(), seenAt.count + 1),
      reportMissing: () => onMissing(projectId),
      isNew: newId === projectId,
      reportNew: (isNew) => setNewId(isNew ? projectId : undefined),
      keepUp: () => {
        if (Date.now() - resolvedAt > driftMs(range) + MINUTE_MS) moveTo(Date.now(), seenAt.count);
      },
    };
  }, [projectId, range, seenAt, isLive, toolPlace, newId, onMissing, navigate]);
}
