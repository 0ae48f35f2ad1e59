import { ChevronDown, Pin, Radio, RotateCw, Unplug } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import { useMatches, useNavigate } from '@tanstack/react-router';
import type { projectHeaderCountsQuery } from '#ui/__generated__/projectHeaderCountsQuery.graphql.ts';
import type { projectHeaderQuery } from '#ui/__generated__/projectHeaderQuery.graphql.ts';
import { Button, IconButton } from '#ui/components/button.tsx';
import { Count } from '#ui/components/count.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { TabLink, TabLinks } from '#ui/components/tabs.tsx';
import { TooltipPlacement } from '#ui/components/tooltip.tsx';
import { useIsConnectionLost } from '#ui/lib/connection.ts';
import { takingTurns } from '#ui/lib/live.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import type { PinnedProject } from '#ui/lib/pin-list.ts';
import { usePin } from '#ui/lib/pins.ts';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { MissingProject } from './missing-project.tsx';
import styles from './project.module.css';
import { keepTime, pageOf, PROJECT_PAGES, type ProjectPage } from './project-pages.ts';
import { withoutPeekSearch } from './project-search.ts';
import { liveChoice, type ProjectTab, tabOf, useProjectView } from './project-view.ts';
import { rememberTab } from './remembered.ts';
import { TimeRangePicker } from './time-range-picker.tsx';
import { ProjectSwitcher } from './switcher/project-switcher.tsx';
import { useIsCovered } from './use-is-covered.ts';
import { TABS_PX, useIsNarrowerThan } from './use-is-narrower-than.ts';

/** See {@link ProjectHeader}. */
export interface ProjectHeaderProps {
  readonly onToolPlace: (place: HTMLElement | null) => void;
  /** Name of what covers the page below the header. */
  readonly coverTitle: string | undefined;
  /** Told where that has its actions. */
  readonly onActionsPlace: (place: HTMLElement | null) => void;
}

/** The project's name, its tabs, and what holds for all of them; of what covers them, the name and the way back. */
export function ProjectHeader({ onToolPlace, coverTitle, onActionsPlace }: ProjectHeaderProps) {
  const { projectId, range, setRange, canLive, isLive, refresh, reportNew } = useProjectView();
  const { project } = useQuery<projectHeaderQuery>(
    graphql`
      query projectHeaderQuery($projectId: ID!) {
        project: node(id: $projectId) {
          __typename
          ... on Project {
            name
            hasTraces
          }
        }
      }
    `,
    { projectId },
  );
  const isLost = useIsConnectionLost() && isLive;
  const page = useShownPage();
  const [counts, setCounts] = useState<TabCounts>({});
  const tab = tabOf(page);
  const isCovered = useIsCovered();
  const isNarrow = useMediaQuery(NARROW);
  const [tabsPlace, setTabsPlace] = useState<HTMLElement | null>(null);
  const hasTabMenu = useIsNarrowerThan(TABS_PX, tabsPlace) || isNarrow;
  useEffect(() => {
    if (tab !== undefined) rememberTab(projectId, tab);
  }, [projectId, tab]);
  const navigate = useNavigate();
  useShortcuts('Project', [
    { keys: 'r', label: 'Refresh', run: refresh },
    {
      keys: 'g f',
      label: 'Search the text of spans',
      run: () =>
        void navigate({
          to: '/projects/$projectId/search',
          params: { projectId },
          search: keepTime,
        }),
    },
  ]);
  const list = useCoveredList();
  const isNew = project.__typename === 'Project' && project.hasTraces === false;
  // Before anything is painted, so that no filter shows up to go away.
  // oxlint-disable-next-line react/exhaustive-deps -- The view is another one after each report.
  useLayoutEffect(() => reportNew(isNew), [isNew, projectId]);
  if (project.__typename !== 'Project' || project.name === undefined) return <MissingProject />;
  // What the project is like holds at all times.
  const hasTime = project.hasTraces === true && page !== 'config';
  const timeTools = hasTime && (
    <TooltipPlacement value="left">
      <TimeRangePicker range={range} onChange={setRange} scope="Project" />
      <Button
        variant={isLive ? 'secondary' : 'ghost'}
        icon={isLost ? Unplug : Radio}
        isDisabled={!canLive}
        aria-label={isLost ? 'Live, but no response from the server' : 'Live'}
        aria-pressed={isLive}
        className={isLost ? styles.lost : isLive ? styles.live : undefined}
        tooltip={isLost ? LOST_HINT : liveHint(isLive, canLive)}
        onPress={() => liveChoice.set(!liveChoice.get())}
      >
        {isNarrow ? null : isLost ? 'No response' : 'Live'}
      </Button>
      <IconButton icon={RotateCw} label="Refresh" shortcut="r" onPress={refresh} />
    </TooltipPlacement>
  );
  const projects = { label: 'Projects', link: { to: '/projects' } } as const;
  return (
    <>
      {isCovered && list !== undefined ? (
        <PageHeader
          title={coverTitle ?? list.noun}
          breadcrumbs={[
            projects,
            { label: project.name, link: { to: '/projects/$projectId', params: { projectId } } },
            { label: list.label, link: { to: list.path, params: { projectId }, search: withoutPeekSearch } },
          ]}
          actions={<div ref={onActionsPlace} className={styles.coverActions} />}
        />
      ) : (
        <PageHeader
          title={project.name}
          breadcrumbs={[projects]}
          heading={<ProjectSwitcher project={{ id: projectId, name: project.name }} />}
          beside={<PinButton project={{ projectId, title: project.name }} />}
          actions={isNarrow ? undefined : timeTools}
        />
      )}
      <div ref={setTabsPlace} className={styles.tabs} hidden={isCovered}>
        <TabLinks label="Pages of the project">
          <Suspense>
            <CountsOfTabs onCounts={setCounts} />
          </Suspense>
          {hasTabMenu ? <TabMenu counts={counts} /> : <Tabs counts={counts} />}
        </TabLinks>
        {isNarrow && <div className={styles.tools}>{timeTools}</div>}
        {hasTime && !isNarrow && <div ref={onToolPlace} className={styles.tools} />}
      </div>
    </>
  );
}

const COUNTS = graphql`
  query projectHeaderCountsQuery($projectId: ID!, $timeRange: TimeRange) {
    project: node(id: $projectId) {
      ... on Project {
        traceCount(timeRange: $timeRange)
        recordCount(timeRange: $timeRange)
        sessionCount(timeRange: $timeRange)
      }
    }
  }
`;

/** Counts are read again at most this often while spans arrive. */
const COUNT_TURN_MS = 2000;

/** By the tab's name; without a name while they are read. */
type TabCounts = Partial<Record<ProjectTab, number | undefined>>;

/** Reads the counts beside the tabs, which stay as they are meanwhile: a menu stays open, and a link keeps the focus. */
function CountsOfTabs({ onCounts }: { readonly onCounts: (counts: TabCounts) => void }) {
  const { projectId, timeRange, refreshCount, isLive } = useProjectView();
  const environment = useRelayEnvironment();
  const { project } = useQuery<projectHeaderCountsQuery>(
    COUNTS,
    { projectId, timeRange },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  const onChange = useMemo(() => {
    const variables = { projectId, timeRange };
    return takingTurns(async () => {
      // When the user comes back to the page, a change is announced then.
      if (document.hidden) return;
      await fetchQuery<projectHeaderCountsQuery>(environment, COUNTS, variables).toPromise();
    }, COUNT_TURN_MS);
  }, [environment, projectId, timeRange]);
  useProjectChanges(projectId, isLive, onChange);
  const { traceCount, recordCount, sessionCount } = project;
  useLayoutEffect(() => {
    onCounts({ traces: traceCount, spans: recordCount, sessions: sessionCount });
    // Before those of another time, or project, have come.
    return () => onCounts({});
  }, [onCounts, traceCount, recordCount, sessionCount]);
  return null;
}

function countOf(page: ProjectPage, counts: TabCounts): number | undefined {
  const tab = tabOf(page);
  return tab === undefined ? undefined : counts[tab];
}

function useShownPage(): ProjectPage | undefined {
  return useMatches({ select: (matches) => pageOf(matches[2]?.fullPath) });
}

function Tabs({ counts }: { readonly counts: TabCounts }) {
  const { projectId } = useProjectView();
  return PROJECT_PAGES.map(({ id, label }) => (
    <TabLink
      key={id}
      to={`/projects/$projectId/${id}`}
      params={{ projectId }}
      search={keepTime}
      count={countOf(id, counts)}
    >
      {label}
    </TabLink>
  ));
}

/** In place of the tabs where they have no room beside each other. */
function TabMenu({ counts }: { readonly counts: TabCounts }) {
  const { projectId } = useProjectView();
  const navigate = useNavigate();
  const shown = useShownPage();
  const page = PROJECT_PAGES.find(({ id }) => id === shown);
  const count = page && countOf(page.id, counts);
  return (
    <MenuTrigger>
      <Button variant="ghost" className={styles.tabMenu}>
        {page?.label ?? 'Pages'}
        {count !== undefined && <Count value={count} />}
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Menu
        label="Pages of the project"
        selectionMode="single"
        selectedKeys={shown === undefined ? [] : [shown]}
        onAction={(id) => {
          const next = PROJECT_PAGES.find((one) => one.id === id);
          if (next === undefined) return;
          void navigate({ to: `/projects/$projectId/${next.id}`, params: { projectId }, search: keepTime });
        }}
      >
        {PROJECT_PAGES.map(({ id, label, icon }) => (
          <MenuItem key={id} id={id} icon={icon}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

function PinButton({ project }: { readonly project: PinnedProject }) {
  const [isPinned, toggle] = usePin(project);
  return <IconButton icon={Pin} size="sm" label="Pin in the navigation" isPressed={isPinned} onPress={toggle} />;
}

/** The list below what covers it. */
function useCoveredList() {
  const name = useShownPage();
  return COVERED.find(({ page }) => page === name);
}

const COVERED = [
  { page: 'traces', path: '/projects/$projectId/traces', label: 'Traces', noun: 'Trace' },
  { page: 'spans', path: '/projects/$projectId/spans', label: 'Spans', noun: 'Trace' },
  { page: 'sessions', path: '/projects/$projectId/sessions', label: 'Sessions', noun: 'Session' },
  { page: 'search', path: '/projects/$projectId/search', label: 'Search', noun: 'Trace' },
] as const;

const LOST_HINT = 'The server is not responding. New data appears when it answers again';

function liveHint(isLive: boolean, canLive: boolean): string {
  if (!canLive) return 'The time range is in the past, so nothing new can appear';
  return isLive ? 'New data appears as it arrives. Press to pause' : 'Press to show new data as it arrives';
}
