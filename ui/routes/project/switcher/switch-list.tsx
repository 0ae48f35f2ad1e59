import { Link, useMatches, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { graphql } from 'react-relay';
import type { switchListQuery } from '#ui/__generated__/switchListQuery.graphql.ts';
import { ProjectMark } from '#ui/components/project-mark.tsx';
import { SearchList } from '#ui/components/search-list/search-list.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { isNodeId } from '#ui/lib/node-id.ts';
import { usePins } from '#ui/lib/pins.ts';
import { useRecentItems } from '#ui/lib/recent.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { keepTime, pageOf } from '../project-pages.ts';
import { listSwitchItems, SWITCH_GROUPS, type SwitchItem } from './known-projects.ts';
import styles from './project-switcher.module.css';

const QUERY = graphql`
  query switchListQuery($knownIds: [ID!]!, $filter: ProjectFilter) {
    known: nodes(ids: $knownIds) {
      ... on Project @alias(as: "project") {
        id
        name
        gradientStartColor
        gradientEndColor
      }
    }
    projects(first: 20, filter: $filter, sort: { col: endTime, dir: desc }) {
      edges {
        node {
          id
          name
          gradientStartColor
          gradientEndColor
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`;

/** Of those that were looked at lately. */
const MAX_RECENT = 5;

interface SwitchListProps {
  readonly currentId: string;
  readonly onClose: () => void;
}

/** Finds a project by a part of its name and goes to it: to the page that is shown of this one, in the same time. */
export function SwitchList({ currentId, onClose }: SwitchListProps) {
  const [text, setText] = useState('');
  const { items, hasMore, isLoading, error } = useSwitchItems(text, currentId);
  const choose = useSwitch(currentId, onClose);
  const groups = SWITCH_GROUPS.map((label) => ({
    label,
    items: items.filter(({ group }) => group === label).map((item) => ({ ...item, isShown: item.id === currentId })),
  }));
  return (
    <>
      <SearchList
        noun="projects"
        text={text}
        onText={setText}
        groups={groups}
        isLoading={isLoading}
        empty={error === undefined ? 'No project name contains this.' : describeError(error)}
        mark={({ startColor, endColor }) => <ProjectMark from={startColor} to={endColor} />}
        onChoose={choose}
        className={styles.results}
      />
      <div className={styles.foot}>
        <Link to="/projects" className={styles.footLink} onClick={onClose}>
          See all projects
        </Link>
        {hasMore && <span className={styles.note}>There are more. Search by name.</span>}
      </div>
    </>
  );
}

interface SwitchItems {
  readonly items: readonly SwitchItem[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
}

function useSwitchItems(text: string, currentId: string): SwitchItems {
  const search = useDeferredValue(text.trim());
  const pins = usePins();
  const recent = useRecentItems();
  const pinnedIds = useMemo(() => pins.map(({ projectId }) => projectId), [pins]);
  const recentIds = useMemo(
    () =>
      recent
        .filter(({ kind, projectId }) => kind === 'project' && projectId !== currentId)
        .slice(0, MAX_RECENT)
        .map(({ projectId }) => projectId),
    [recent, currentId],
  );
  const { data, error, isLoading } = useAnswer<switchListQuery>(
    QUERY,
    {
      knownIds: [...new Set([...pinnedIds, ...recentIds])].filter((id) => isNodeId('Project', id)),
      filter: search === '' ? null : { col: 'name', value: search },
    },
    0,
  );
  const items = useMemo(
    () =>
      listSwitchItems({
        pinnedIds,
        recentIds,
        known: data?.known.flatMap((node) => node?.project ?? []) ?? [],
        found: data?.projects.edges.map(({ node }) => node) ?? [],
        text,
      }),
    [data, pinnedIds, recentIds, text],
  );
  return { items, hasMore: data?.projects.pageInfo.hasNextPage === true, isLoading, error };
}

/** Goes to another project. */
function useSwitch(currentId: string, onClose: () => void): (projectId: string) => void {
  const navigate = useNavigate();
  const page = useMatches({ select: (matches) => pageOf(matches[2]?.fullPath) });
  return (projectId) => {
    onClose();
    if (projectId === currentId) return;
    const to = page === undefined ? '/projects/$projectId' : (`/projects/$projectId/${page}` as const);
    void navigate({ to, params: { projectId }, search: keepTime });
  };
}
