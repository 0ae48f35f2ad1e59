import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { hitList_project$data, hitList_project$key } from '#ui/__generated__/hitList_project.graphql.ts';
import type { hitListPageQuery } from '#ui/__generated__/hitListPageQuery.graphql.ts';
import type { hitListQuery } from '#ui/__generated__/hitListQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact } from '#ui/lib/format.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import { type ResolvedTimeRange, widenTimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRange, formatTimeRangeInSentence } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { Onboarding } from '../onboarding/onboarding.tsx';
import type { ListHandle } from '../project/list-context.ts';
import { useProjectView } from '../project/project-view.ts';
import { Hit } from './hit.tsx';
import type { SearchScope } from './search-address.ts';
import { SCOPE_LABELS } from './search-bar.tsx';
import styles from './search-page.module.css';

const QUERY = graphql`
  query hitListQuery(
    $projectId: ID!
    $text: String!
    $scope: SearchScope!
    $order: SearchOrder!
    $timeRange: TimeRange
  ) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...hitList_project @arguments(text: $text, scope: $scope, order: $order, timeRange: $timeRange)
      }
    }
  }
`;

const PAGE = graphql`
  fragment hitList_project on Project
  @refetchable(queryName: "hitListPageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 30 }
    after: { type: "String" }
    text: { type: "String!" }
    scope: { type: "SearchScope!" }
    order: { type: "SearchOrder!" }
    timeRange: { type: "TimeRange" }
  ) {
    search(first: $first, after: $after, text: $text, scope: $scope, order: $order, timeRange: $timeRange)
      @connection(key: "hitList_search") {
      edges {
        node {
          span {
            id
          }
          ...hit_hit
        }
      }
      isPartial
      hitCount {
        count
        isExact
      }
      currency {
        pendingSpanCount
      }
    }
  }
`;

const PAGE_SIZE = 30;

/** What is searched for. */
export interface SearchFetch {
  readonly projectId: string;
  readonly text: string;
  readonly scope: SearchScope;
  readonly order: 'newest' | 'best';
  readonly timeRange: ResolvedTimeRange;
  /** Another one asks the server again. */
  readonly refreshCount: number;
}

interface HitListProps {
  readonly fetch: SearchFetch;
  readonly handle: Ref<ListHandle>;
  /** Beyond the first hit upwards. */
  readonly onLeave: () => void;
}

/** The spans that were found, a page at a time, and what is to be said about the answer. */
export function HitList({ fetch, handle, onLeave }: HitListProps) {
  const { refreshCount, ...variables } = fetch;
  const { project } = useQuery<hitListQuery>(QUERY, variables, {
    version: refreshCount,
    fetchPolicy: 'store-and-network',
  });
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<hitListPageQuery, hitList_project$key>(
    PAGE,
    project.found,
  );
  const [failure, setFailure] = useState<Error | null>(null);
  const { selectedSpanNodeId } = useSearch({ strict: false });
  const list = useRef<HTMLOListElement>(null);
  useImperativeHandle(handle, () => ({
    step: (delta) => stepTo(list.current, selectedSpanNodeId, delta),
    focusRow: () => linkOf(list.current, selectedSpanNodeId)?.focus(),
  }));
  useShortcuts('Search', KEYS);
  if (data == null) return null;
  if (project.found?.hasTraces === false) {
    return <Onboarding projectId={fetch.projectId} project={project.found.name} />;
  }

  function goOn(): void {
    setFailure(null);
    loadNext(PAGE_SIZE, { onComplete: setFailure });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const links = linksIn(list.current);
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (at === -1) return;
    if (event.key === 'ArrowUp' && at === 0) onLeave();
    else {
      const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
      if (target === undefined) return;
      links[target]?.focus();
    }
    event.preventDefault();
  }

  const { edges, isPartial } = data.search;
  return (
    <>
      <Summary search={data.search} order={fetch.order} />
      {edges.length === 0 && !hasNext && <NothingFound fetch={fetch} pendingCount={pendingOf(data)} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys are those of the links inside. */}
      <ol ref={list} className={styles.hits} aria-label="Hits" onKeyDown={onKeyDown}>
        {edges.map(({ node }) => (
          <Hit key={node.span.id} projectId={fetch.projectId} hit={node} isOpen={node.span.id === selectedSpanNodeId} />
        ))}
      </ol>
      {hasNext && (
        <GoOn isByItself={!isPartial && failure === null} onGoOn={goOn}>
          {failure !== null && <span role="alert">More hits could not be loaded. {describeError(failure)}</span>}
          {failure === null && isPartial && (
            <span>The search stopped after one second, before it had searched everything.</span>
          )}
          {objectionOf(failure) !== 'refused' && (
            <Button size="sm" isPending={isLoadingNext} onPress={goOn}>
              {failure !== null ? 'Try again' : isPartial ? 'Continue searching' : 'More hits'}
            </Button>
          )}
        </GoOn>
      )}
    </>
  );
}

function pendingOf({ search }: hitList_project$data): number {
  return search.currency.pendingSpanCount;
}

function Summary(props: { readonly search: hitList_project$data['search']; readonly order: SearchFetch['order'] }) {
  const { hitCount, currency, isPartial } = props.search;
  const { count, isExact } = hitCount;
  const pending = currency.pendingSpanCount;
  return (
    <output className={styles.summary}>
      <span>
        {isExact ? formatExact(count) : `${formatExact(count)} or more`} {count === 1 && isExact ? 'span' : 'spans'}
      </span>
      {isPartial && props.order === 'best' && <span>Best of the newest hits; not all were ranked.</span>}
      {pending > 0 && (
        <span>
          {formatExact(pending)} {pending === 1 ? 'span on this server was' : 'spans on this server were'} just added,
          changed or deleted. The search will include this in a moment.
        </span>
      )}
    </output>
  );
}

function NothingFound({ fetch, pendingCount }: { readonly fetch: SearchFetch; readonly pendingCount: number }) {
  const { range, setRange, refresh } = useProjectView();
  const navigate = useNavigate();
  const zone = useTimeZone();
  const wider = widenTimeRange(range);
  const isNarrowed = fetch.scope !== 'everything';
  const where = isNarrowed ? ` in ${SCOPE_LABELS[fetch.scope].toLowerCase()}` : '';
  return (
    <EmptyState
      icon={SearchX}
      title={`No span contains this${where}`}
      action={
        <div className={styles.ways}>
          {isNarrowed && (
            <Button
              variant="primary"
              onPress={() => void navigate({ to: '.', search: (before) => ({ ...before, scope: undefined }) })}
            >
              Search everywhere
            </Button>
          )}
          {wider !== undefined && (
            <Button variant={isNarrowed ? 'secondary' : 'primary'} onPress={() => setRange(wider)}>
              Search {formatTimeRangeInSentence(wider, zone)}
            </Button>
          )}
          {pendingCount > 0 && <Button onPress={refresh}>Search again</Button>}
        </div>
      }
    >
      Search matches whole words. End a word with * to match its beginning.
      {wider !== undefined && ` Searched: ${formatTimeRange(range, zone)}.`}
    </EmptyState>
  );
}

/** The way to the next page; by itself it is taken when it comes into sight. */
function GoOn(props: { readonly isByItself: boolean; readonly onGoOn: () => void; readonly children: ReactNode }) {
  const { isByItself } = props;
  const place = useRef<HTMLDivElement>(null);
  const goOn = useEffectEvent(props.onGoOn);
  useEffect(() => {
    if (!isByItself || place.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && goOn(), {
      rootMargin: '600px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isByItself]);
  return (
    <div ref={place} className={styles.more}>
      {props.children}
    </div>
  );
}

function linksIn(list: HTMLElement | null): HTMLAnchorElement[] {
  return [...(list?.querySelectorAll<HTMLAnchorElement>('a[data-hit]') ?? [])];
}

function linkOf(list: HTMLElement | null, spanNodeId: string | undefined): HTMLAnchorElement | undefined {
  const links = linksIn(list);
  return links.find(({ dataset }) => dataset['hit'] === spanNodeId) ?? links[0];
}

/** Gives the keyboard to the hit behind or before the one that has it; where one is open, opens that instead. */
function stepTo(list: HTMLElement | null, openId: string | undefined, delta: -1 | 1): void {
  const links = linksIn(list);
  const focused = links.indexOf(document.activeElement as HTMLAnchorElement);
  const at = focused === -1 ? links.findIndex(({ dataset }) => dataset['hit'] === openId) : focused;
  const link = links[at === -1 ? 0 : Math.min(Math.max(at + delta, 0), links.length - 1)];
  link?.focus();
  if (openId !== undefined) link?.click();
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next hit' },
  { keys: 'Home End', label: 'First or last hit' },
];
