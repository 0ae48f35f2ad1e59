import { Link } from '@tanstack/react-router';
import { FolderSearch, Layers } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { graphql, useFragment, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { projectList_query$key } from '#ui/__generated__/projectList_query.graphql.ts';
import type { projectListPageQuery } from '#ui/__generated__/projectListPageQuery.graphql.ts';
import type { projectListQuery } from '#ui/__generated__/projectListQuery.graphql.ts';
import type { projectListItem_project$key } from '#ui/__generated__/projectListItem_project.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Count } from '#ui/components/count.tsx';
import { Duration } from '#ui/components/duration.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { useAttempt } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { resolveTimeRange } from '#ui/lib/time-range.ts';
import { ProjectMenu } from '../deletion/project-menu.tsx';
import { rememberedRange } from '../project/remembered.ts';
import type { ProjectsLook, ProjectsOrder } from './projects-view.ts';
import styles from './projects-page.module.css';

interface ProjectListProps {
  readonly look: ProjectsLook;
  readonly order: ProjectsOrder;
  readonly search: string;
  /** The figures are of the time up to it; another one asks the server again. */
  readonly resolvedAtMs: number;
  readonly emptyAction: ReactNode;
  /** Projects that the list shows were cleared or deleted. */
  readonly onChange: () => void;
  /** Another one asks the server again. */
  readonly changeCount: number;
}

/** Projects with what happened in them lately. */
export function ProjectList({
  look,
  order,
  search,
  resolvedAtMs,
  emptyAction,
  onChange,
  changeCount,
}: ProjectListProps) {
  const timeRange = useMemo(() => resolveTimeRange(rememberedRange(), resolvedAtMs), [resolvedAtMs]);
  const query = useLazyLoadQuery<projectListQuery>(
    graphql`
      query projectListQuery($filter: ProjectFilter, $sort: ProjectSort, $timeRange: TimeRange) {
        ...projectList_query @arguments(filter: $filter, sort: $sort, timeRange: $timeRange)
      }
    `,
    {
      filter: search === '' ? null : { col: 'name', value: search },
      sort: { col: order, dir: order === 'name' ? 'asc' : 'desc' },
      timeRange,
    },
    { fetchKey: `${resolvedAtMs}.${changeCount}.${useAttempt()}`, fetchPolicy: 'store-and-network' },
  );
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<projectListPageQuery, projectList_query$key>(
    graphql`
      fragment projectList_query on Query
      @refetchable(queryName: "projectListPageQuery")
      @argumentDefinitions(
        first: { type: "Int", defaultValue: 48 }
        after: { type: "String" }
        filter: { type: "ProjectFilter" }
        sort: { type: "ProjectSort" }
        timeRange: { type: "TimeRange" }
      ) {
        projects(first: $first, after: $after, filter: $filter, sort: $sort) @connection(key: "projectList_projects") {
          edges {
            node {
              id
              ...projectListItem_project @arguments(timeRange: $timeRange)
            }
          }
        }
      }
    `,
    query,
  );
  const projects = data.projects.edges.map(({ node }) => node);
  if (projects.length === 0 && search !== '')
    return (
      <EmptyState icon={FolderSearch} title={`No project name contains “${search}”`}>
        You can search for part of a name; case does not matter.
      </EmptyState>
    );
  if (projects.length === 0)
    return (
      <EmptyState icon={Layers} title="No projects yet" action={emptyAction}>
        A project holds the traces of one application. Create it here, or send spans: the first span that names a
        project creates it.
      </EmptyState>
    );
  const items = projects.map((project) => (
    <ProjectItem key={project.id} project={project} look={look} onChange={onChange} />
  ));
  return (
    <>
      {look === 'grid' ? (
        <ul className={styles.grid} aria-label="Projects">
          {items}
        </ul>
      ) : (
        <div className={styles.tablePlace}>
          <table className={styles.table} aria-label="Projects">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Description</th>
                <th scope="col">Traces</th>
                <th scope="col">Latency P50</th>
                <th scope="col">Tokens</th>
                <th scope="col">Last activity</th>
                <th scope="col">
                  <VisuallyHidden>Actions</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>{items}</tbody>
          </table>
        </div>
      )}
      {hasNext && <LoadMore isLoading={isLoadingNext} onLoad={() => loadNext(48)} />}
    </>
  );
}

function ProjectItem({
  project: ref,
  look,
  onChange,
}: {
  readonly project: projectListItem_project$key;
  readonly look: ProjectsLook;
  readonly onChange: () => void;
}) {
  const project = useFragment(
    graphql`
      fragment projectListItem_project on Project @argumentDefinitions(timeRange: { type: "TimeRange" }) {
        id
        name
        description
        endTime
        gradientStartColor
        gradientEndColor
        traceCount(timeRange: $timeRange)
        latencyMsQuantile(probability: 0.5, timeRange: $timeRange)
        tokenCountTotal(timeRange: $timeRange)
      }
    `,
    ref,
  );
  const { name, description, endTime, traceCount, latencyMsQuantile, tokenCountTotal } = project;
  const mark = (
    <span
      aria-hidden
      className={styles.mark}
      style={{ background: `linear-gradient(135deg, ${project.gradientStartColor}, ${project.gradientEndColor})` }}
    />
  );
  const link = (
    <Link
      to="/projects/$projectId"
      params={{ projectId: project.id }}
      className={styles.name}
      title={revealHidden(name)}
    >
      <Name>{name}</Name>
    </Link>
  );
  const menu = <ProjectMenu project={project} onCleared={onChange} onDeleted={onChange} className={styles.itemMenu} />;
  if (look === 'table')
    return (
      <tr>
        <th scope="row">
          <span className={styles.nameCell}>
            {mark}
            {link}
          </span>
        </th>
        <td className={styles.described}>{description ?? '–'}</td>
        <td>
          <Count value={traceCount} />
        </td>
        <td>
          <Duration ms={latencyMsQuantile} />
        </td>
        <td>
          <Count value={tokenCountTotal} />
        </td>
        <td>
          <Timestamp value={endTime} />
        </td>
        <td>{menu}</td>
      </tr>
    );
  return (
    <li className={styles.card}>
      <div className={styles.nameCell}>
        {mark}
        {link}
        <span className={styles.activity}>{endTime == null ? 'No traces yet' : <Timestamp value={endTime} />}</span>
        {menu}
      </div>
      {description != null && <p className={styles.description}>{description}</p>}
      <dl className={styles.figures}>
        <Figure label="Traces">
          <Count value={traceCount} />
        </Figure>
        <Figure label="Latency P50">
          <Duration ms={latencyMsQuantile} />
        </Figure>
        <Figure label="Tokens">
          <Count value={tokenCountTotal} />
        </Figure>
      </dl>
    </li>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
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
