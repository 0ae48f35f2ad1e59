import { useChildMatches, useSearch } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import type { ListHandle } from '../project/list-context.ts';
import { MissingProject } from '../project/missing-project.tsx';
import { Peek } from '../project/peek.tsx';
import { useProjectView } from '../project/project-view.ts';
import { HitList, type SearchFetch } from './hit-list.tsx';
import { FailedSearch } from './failed-search.tsx';
import { SearchBar } from './search-bar.tsx';
import { SearchHints } from './search-hints.tsx';
import styles from './search-page.module.css';

const FirstTrace = lazy(async () => ({ default: (await import('../onboarding/first-trace.tsx')).FirstTrace }));

/** Spans of a project by the texts in them, with the trace of one beside them. */
function Search() {
  const address = useSearch({ from: '/projects/$projectId/search' });
  const { view } = useSearch({ strict: false });
  const field = useRef<HTMLInputElement>(null);
  const hits = useRef<ListHandle>(null);
  const isOpen = useChildMatches().length > 0;
  const isNarrow = useMediaQuery(NARROW);
  const focusField = () => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts('Search', [
    { keys: '/', label: 'Search the text of spans', run: focusField },
    { keys: 'j', label: 'Next hit', run: () => hits.current?.step(1) },
    { keys: 'k', label: 'Previous hit', run: () => hits.current?.step(-1) },
  ]);
  const isBlank = address.q === undefined && !isOpen;
  useEffect(() => {
    // Who comes here without a search came to type one; on phones the keyboard would cover half of the page.
    if (isBlank && !window.matchMedia(NARROW).matches) field.current?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- Only when the page is entered.
  }, []);
  return (
    <SplitPane
      id="peek.search"
      label="Resize the panel"
      defaultSize={44}
      min={340}
      only={!isOpen ? 'primary' : isNarrow || view === 'full' ? 'secondary' : undefined}
      primary={
        <section className={styles.page} aria-label="Search">
          <SearchBar address={address} field={field} onDown={() => hits.current?.focusRow()} />
          <Hits handle={hits} onLeave={focusField} />
        </section>
      }
      secondary={isOpen && <Peek list={hits} hasRoomForBoth={!isNarrow} />}
    />
  );
}

interface HitsProps {
  readonly handle: RefObject<ListHandle | null>;
  readonly onLeave: () => void;
}

/** Finds spans by what they say, or says how to send the first trace. */
export function SearchPage() {
  if (!useProjectView().isNew) return <Search />;
  return (
    <Suspense>
      <FirstTrace />
    </Suspense>
  );
}

/** The place of the hits; those of an earlier search stay until the next ones are there. */
function Hits({ handle, onLeave }: HitsProps) {
  const { q, scope = 'everything', order = 'newest' } = useSearch({ from: '/projects/$projectId/search' });
  const { projectId, timeRange, refreshCount } = useProjectView();
  const wanted = useMemo(
    (): SearchFetch | null => (q === undefined ? null : { projectId, text: q, scope, order, timeRange, refreshCount }),
    [projectId, q, scope, order, timeRange, refreshCount],
  );
  const shown = useDeferredValue(wanted);
  return (
    <div className={styles.place}>
      <ProgressLine isActive={shown !== wanted} label="Searching" />
      <div className={styles.scroller}>
        {wanted === null || shown === null ? (
          wanted === null && <SearchHints />
        ) : (
          <ErrorBoundary
            fallbackTitle="The search failed"
            resetKey={JSON.stringify(shown)}
            missing={<MissingProject />}
            renderFailure={(error, retry) => <FailedSearch error={error} onRetry={retry} onChange={onLeave} />}
          >
            <Suspense fallback={<HitsPlace />}>
              <HitList
                key={`${shown.order} ${shown.scope} ${shown.text}`}
                fetch={shown}
                handle={handle}
                onLeave={onLeave}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
    </div>
  );
}

function HitsPlace() {
  return (
    <div className={styles.skeleton} aria-hidden>
      {[38, 52, 44, 60].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={12} lines={3} />
      ))}
    </div>
  );
}
