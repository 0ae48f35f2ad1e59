import { Link, useMatches, useNavigate } from '@tanstack/react-router';
import { Check, Search } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { graphql } from 'react-relay';
import type { switchListQuery } from '#ui/__generated__/switchListQuery.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { ProjectMark } from '#ui/components/project-mark.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { indexAfterKey } from '#ui/lib/list-keys.ts';
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
  const [activeId, setActiveId] = useState<string>();
  const listId = useId();
  const active = useRef<HTMLDivElement>(null);
  const { items, hasMore, isLoading, error } = useSwitchItems(text, currentId);
  const activeIndex = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  );
  const activeItem = items[activeIndex];
  const choose = useSwitch(currentId, onClose);
  useEffect(() => {
    active.current?.scrollIntoView({ block: 'nearest' });
  }, [activeItem?.id]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const next = indexAfterKey(event.key, activeIndex, items.length);
    if (next !== undefined) setActiveId(items[next]?.id);
    else if (event.key === 'Enter' && activeItem !== undefined) choose(activeItem.id);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className={styles.field}>
        <Search size={14} aria-hidden />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- It was opened to type into.
          autoFocus
          className={styles.input}
          role="combobox"
          aria-label="Search projects by name"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={activeItem === undefined ? undefined : `${listId}-${activeIndex}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search projects"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.results}>
        <ProgressLine isActive={isLoading} label="Loading projects" />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A datalist cannot be drawn. */}
        <div id={listId} role="listbox" aria-label="Projects" className={styles.list}>
          {SWITCH_GROUPS.map((group, groupIndex) => {
            const own = items.filter((item) => item.group === group);
            if (own.length === 0) return null;
            return (
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Within a listbox only a group stands.
              <div key={group} role="group" aria-labelledby={`${listId}-group-${groupIndex}`}>
                <div id={`${listId}-group-${groupIndex}`} className={styles.group} role="presentation">
                  {group}
                </div>
                {own.map((item) => (
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field keeps the focus and takes the keys.
                  <div
                    key={item.id}
                    ref={item === activeItem ? active : undefined}
                    id={`${listId}-${items.indexOf(item)}`}
                    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An option stands in a select alone.
                    role="option"
                    tabIndex={-1}
                    aria-selected={item === activeItem}
                    className={styles.option}
                    onPointerMove={() => setActiveId(item.id)}
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={() => choose(item.id)}
                  >
                    <ProjectMark from={item.startColor} to={item.endColor} />
                    <span className={styles.optionName} title={revealHidden(item.name)}>
                      <Name>{item.name}</Name>
                    </span>
                    {item.id === currentId && (
                      <>
                        <Check size={14} aria-hidden />
                        <VisuallyHidden>, shown now</VisuallyHidden>
                      </>
                    )}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
        {items.length === 0 && !isLoading && (
          <p className={styles.note}>{error === undefined ? 'No project name contains this.' : describeError(error)}</p>
        )}
      </div>
      <div className={styles.foot}>
        <Link to="/projects" className={styles.footLink} onClick={onClose}>
          See all projects
        </Link>
        {hasMore && <span className={styles.note}>There are more. Search by name.</span>}
      </div>
      <VisuallyHidden>
        <span aria-live="polite">{isLoading ? '' : `${items.length} projects`}</span>
      </VisuallyHidden>
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
