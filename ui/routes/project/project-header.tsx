import { Radio, RotateCw } from 'lucide-react';
import { Suspense, useEffect, useMemo } from 'react';
import { fetchQuery, graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import { useMatches, useNavigate } from '@tanstack/react-router';
import type { projectHeaderCountsQuery } from '#ui/__generated__/projectHeaderCountsQuery.graphql.ts';
import type { projectHeaderQuery } from '#ui/__generated__/projectHeaderQuery.graphql.ts';
import { Button, IconButton } from '#ui/components/button.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { TabLink, TabLinks } from '#ui/components/tabs.tsx';
import { TooltipPlacement } from '#ui/components/tooltip.tsx';
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';
import { takingTurns } from '#ui/lib/live.ts';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { ProjectMenu } from '../deletion/project-menu.tsx';
import { MissingProject } from './missing-project.tsx';
import styles from './project.module.css';
import { liveChoice, type ProjectTab, tabOf, useProjectView } from './project-view.ts';
import { rememberTab } from './remembered.ts';
import { TimeRangePicker } from './time-range-picker.tsx';
import { useIsCovered } from './use-is-covered.ts';

/** The project's name, its tabs, and what holds for all of them. */
export function ProjectHeader({ onToolPlace }: { readonly onToolPlace: (place: HTMLElement | null) => void }) {
  const { projectId, canLive, isLive, refresh } = useProjectView();
  const { project } = useLazyLoadQuery<projectHeaderQuery>(
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
  const tab = useTab();
  const isCovered = useIsCovered();
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
          search: ({ range, start, end }) => ({ range, start, end }),
        }),
    },
  ]);
  if (project.__typename !== 'Project' || project.name === undefined) return <MissingProject />;
  return (
    <>
      <PageHeader
        title={project.name}
        breadcrumbs={[{ label: 'Projects', link: { to: '/projects' } }]}
        copy={{ name: project.name, id: projectId }}
        actions={
          !isCovered && (
            <TooltipPlacement value="left">
              {project.hasTraces === true && (
                <>
                  <TimeRangePicker />
                  <Button
                    variant={isLive ? 'secondary' : 'ghost'}
                    icon={Radio}
                    isDisabled={!canLive}
                    aria-pressed={isLive}
                    className={isLive ? styles.live : undefined}
                    tooltip={liveHint(isLive, canLive)}
                    onPress={() => liveChoice.set(!liveChoice.get())}
                  >
                    Live
                  </Button>
                  <IconButton icon={RotateCw} label="Refresh" shortcut="r" onPress={refresh} />
                </>
              )}
              <ProjectMenu
                project={{ id: projectId, name: project.name }}
                onCleared={refresh}
                onDeleted={() => void navigate({ to: '/projects', replace: true })}
              />
            </TooltipPlacement>
          )
        }
      />
      <div className={styles.tabs} hidden={isCovered}>
        <TabLinks label="Pages of the project">
          <Suspense fallback={<Tabs />}>
            <CountedTabs />
          </Suspense>
        </TabLinks>
        {project.hasTraces === true && <div ref={onToolPlace} className={styles.tools} />}
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

function CountedTabs() {
  const { projectId, timeRange, refreshCount, isLive } = useProjectView();
  const environment = useRelayEnvironment();
  const { project } = useLazyLoadQuery<projectHeaderCountsQuery>(
    COUNTS,
    { projectId, timeRange },
    { fetchKey: refreshCount, fetchPolicy: 'store-and-network' },
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
  return <Tabs traces={project.traceCount} spans={project.recordCount} sessions={project.sessionCount} />;
}

function Tabs(counts: Partial<Record<ProjectTab, number | undefined>>) {
  const { projectId } = useProjectView();
  const tabs: readonly { readonly id: ProjectTab; readonly label: string }[] = [
    { id: 'traces', label: 'Traces' },
    { id: 'spans', label: 'Spans' },
    { id: 'sessions', label: 'Sessions' },
  ];
  const search = ({ range, start, end }: TimeRangeSearch) => ({ range, start, end });
  return (
    <>
      {tabs.map(({ id, label }) => (
        <TabLink key={id} to={`/projects/$projectId/${id}`} params={{ projectId }} search={search} count={counts[id]}>
          {label}
        </TabLink>
      ))}
      <TabLink to="/projects/$projectId/metrics" params={{ projectId }} search={search}>
        Metrics
      </TabLink>
      <TabLink to="/projects/$projectId/search" params={{ projectId }} search={search}>
        Search
      </TabLink>
    </>
  );
}

function useTab(): ProjectTab | undefined {
  return useMatches({ select: (matches) => tabOf(matches[2]?.fullPath.split('/')[3]) });
}

function liveHint(isLive: boolean, canLive: boolean): string {
  if (!canLive) return 'The time range is in the past, so nothing new can appear';
  return isLive ? 'New data appears as it arrives. Press to pause' : 'Press to show new data as it arrives';
}
