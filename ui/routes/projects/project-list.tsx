import { FolderSearch, Layers } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { projectList_query$key } from '#ui/__generated__/projectList_query.graphql.ts';
import type { projectListPageQuery } from '#ui/__generated__/projectListPageQuery.graphql.ts';
import type { projectListQuery } from '#ui/__generated__/projectListQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import type { TimeRange } from '#ui/lib/time-range.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { ProjectCard } from './project-card.tsx';
import { isByFigure, sortByFigure } from './project-figures.ts';
import { ProjectTable } from './project-table.tsx';
import type { ProjectsLook, ProjectsSort } from './projects-view.ts';
import styles from './projects-page.module.css';
import { projectsVariables } from './projects-query.ts';
import { useProjectFigures } from './use-project-figures.ts';

interface ProjectListProps {
  readonly look: ProjectsLook;
  readonly sort: ProjectsSort;
  readonly onSort: (sort: ProjectsSort) => void;
  readonly search: string;
  /** That the figures are of. */
  readonly range: TimeRange;
  /** The list is of the time up to it; another one asks the server again. */
  readonly resolvedAtMs: number;
  /** Creates a project, for those who may. */
  readonly emptyAction: ReactNode | undefined;
  /** Projects that the list shows were cleared or deleted. */
  readonly onChange: () => void;
  /** Another one asks the server again. */
  readonly changeCount: number;
}

/** Projects of one page, and those that an order by figures is made of at most. */
const PAGE_SIZE = 100;
const MAX_SORTED = 500;

/** Projects, and as soon as they are known what happened in them lately. */
export function ProjectList(props: ProjectListProps) {
  const { look, sort, onSort, search, range, resolvedAtMs, emptyAction, onChange, changeCount } = props;
  const isSortedHere = isByFigure(sort);
  const version = `${resolvedAtMs}.${changeCount}`;
  const [firstVersion] = useState(version);
  // The route has just asked for the list that a visit begins with.
  const isAsked = version === firstVersion && search === '';
  const query = useQuery<projectListQuery>(
    graphql`
      query projectListQuery($filter: ProjectFilter, $sort: ProjectSort) {
        ...projectList_query @arguments(filter: $filter, sort: $sort)
      }
    `,
    projectsVariables(sort, search),
    { version, fetchPolicy: isAsked ? 'store-or-network' : 'store-and-network' },
  );
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<projectListPageQuery, projectList_query$key>(
    graphql`
      fragment projectList_query on Query
      @refetchable(queryName: "projectListPageQuery")
      @argumentDefinitions(
        first: { type: "Int", defaultValue: 50 }
        after: { type: "String" }
        filter: { type: "ProjectFilter" }
        sort: { type: "ProjectSort" }
      ) {
        projects(first: $first, after: $after, filter: $filter, sort: $sort) @connection(key: "projectList_projects") {
          edges {
            node {
              id
              startTime
              ...projectCard_project
              ...projectTable_project
            }
          }
        }
      }
    `,
    query,
  );
  const { edges } = data.projects;
  const projects = useMemo(() => edges.map(({ node }) => node), [edges]);
  const starts = projects.flatMap(({ startTime }) => (startTime == null ? [] : Date.parse(startTime)));
  const { figures, isLoading, error, ask } = useProjectFigures({
    ids: projects.map(({ id }) => id),
    range,
    earliestMs: starts.length === 0 ? undefined : Math.min(...starts),
    changeCount,
  });
  const loadMore = useEffectEvent(() => loadNext(PAGE_SIZE));
  // Which project has the most can be said of all of them alone.
  const wantsAll = isSortedHere && hasNext && !isLoadingNext && projects.length < MAX_SORTED;
  useEffect(() => {
    if (wantsAll) loadMore();
  }, [wantsAll]);

  if (projects.length === 0 && search !== '')
    return (
      <EmptyState icon={FolderSearch} title={`No project name contains “${search}”`}>
        You can search for part of a name; case does not matter.
      </EmptyState>
    );
  if (projects.length === 0)
    return (
      <EmptyState icon={Layers} title="No projects yet" action={emptyAction}>
        A project holds the traces of one application.{' '}
        {emptyAction === undefined
          ? 'The first span that names a project creates it.'
          : 'Create it here, or send spans: the first span that names a project creates it.'}
      </EmptyState>
    );
  const sorted = isSortedHere ? sortByFigure(projects, figures, sort) : projects;
  const shared = { range, onChange };
  return (
    <>
      <ProgressLine isActive={isLoading && error === undefined} label="Loading the figures" />
      {error !== undefined && (
        <div role="alert" className={styles.failure}>
          The figures could not be loaded. {describeError(error)}
          {objectionOf(error) !== 'refused' && (
            <Button size="sm" onPress={ask}>
              Try again
            </Button>
          )}
        </div>
      )}
      {isSortedHere && hasNext && projects.length >= MAX_SORTED && (
        <p className={styles.hint}>Sorted among the {projects.length} projects with the latest activity.</p>
      )}
      {look === 'grid' ? (
        <ul className={styles.grid} aria-label="Projects">
          {sorted.map((project) => (
            <ProjectCard key={project.id} project={project} figures={figures.get(project.id)} {...shared} />
          ))}
        </ul>
      ) : (
        <ProjectTable projects={sorted} figures={figures} sort={sort} onSort={onSort} {...shared} />
      )}
      {hasNext && !wantsAll && <LoadMore isLoading={isLoadingNext} onLoad={() => loadNext(PAGE_SIZE)} />}
    </>
  );
}

/** Loads on when it comes into sight, and when it is pressed. */
function LoadMore({ isLoading, onLoad }: { readonly isLoading: boolean; readonly onLoad: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(onLoad);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && load(), {
      rootMargin: '400px',
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className={styles.more}>
      <Button isPending={isLoading} onPress={onLoad}>
        More projects
      </Button>
    </div>
  );
}

/** Where projects will stand. */
export function ProjectListPlace({ look }: { readonly look: ProjectsLook }) {
  return (
    <div className={look === 'grid' ? styles.grid : styles.tablePlace} aria-hidden>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className={look === 'grid' ? styles.card : styles.placeRow}>
          <Skeleton width="55%" height={14} />
          {look === 'grid' && <Skeleton lines={2} height={10} />}
        </div>
      ))}
    </div>
  );
}
