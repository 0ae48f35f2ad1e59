import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarSearch, Filter } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { formatTimestamp } from '#ui/lib/format.ts';
import { useNow } from '#ui/lib/now.ts';
import { presetHolding, type TimeRange, widenTimeRange, writeTimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRange, formatTimeRangeInSentence } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { UnknownAttributesNote } from './filter/unknown-attributes-note.tsx';
import { useListContext } from './list-context.ts';
import { useProjectView } from './project-view.ts';
import styles from './project.module.css';
import { useNewest } from './use-newest.ts';

const NoSessions = lazy(async () => ({ default: (await import('../onboarding/no-sessions.tsx')).NoSessions }));

/** Stands where a table has no rows: says why, and what would bring some. */
export function EmptyList({ isPartial }: { readonly isPartial: boolean }) {
  const { range } = useProjectView();
  const { name, noun, filter } = useListContext();
  const zone = useTimeZone();
  const navigate = useNavigate();
  const wider = widenTimeRange(range);
  if (filter !== null) {
    return (
      <EmptyState
        icon={Filter}
        title={isPartial ? `No ${noun} match so far` : `No ${noun} match`}
        action={
          <>
            <Button
              variant="primary"
              onPress={() => void navigate({ to: '.', search: (before) => ({ ...before, filter: undefined }) })}
            >
              Clear the filter
            </Button>
            {wider !== undefined && <Widen range={wider} zone={zone} />}
          </>
        }
      >
        {isPartial
          ? 'Only part of the time range was searched.'
          : `Nothing matches the filter in this time range: ${formatTimeRangeInSentence(range, zone)}.`}
        {name === 'spans' && <UnknownAttributesNote filter={filter} />}
      </EmptyState>
    );
  }
  return <EmptyRange wider={wider} />;
}

/** Nothing in the time range: what there is outside of it. */
function EmptyRange({ wider }: { readonly wider: TimeRange | undefined }) {
  const { projectId, range } = useProjectView();
  const { name, noun } = useListContext();
  const zone = useTimeZone();
  const what = name === 'sessions' ? 'session' : 'trace';
  const { newest, isLoading } = useNewest(what);
  const nowMs = useNow();
  if (newest === null && what === 'session') {
    return (
      <Suspense>
        <NoSessions />
      </Suspense>
    );
  }
  if (wider === undefined) {
    return (
      <EmptyState icon={CalendarSearch} title={`No ${noun} yet`}>
        They appear here as soon as they arrive.
      </EmptyState>
    );
  }
  const holding = newest == null ? wider : presetHolding(newest.startTime, nowMs);
  return (
    <EmptyState
      icon={CalendarSearch}
      title={`No ${noun} in this time range`}
      action={
        !isLoading && (
          <>
            <Widen range={holding} zone={zone} isFirst />
            {newest != null && (
              <Link
                className={styles.newest}
                to={
                  what === 'session'
                    ? '/projects/$projectId/sessions/$sessionId'
                    : '/projects/$projectId/traces/$traceId'
                }
                params={{ projectId, sessionId: newest.id, traceId: newest.id }}
                search={writeTimeRange(holding)}
              >
                Open the newest {what}
              </Link>
            )}
          </>
        )
      }
    >
      Time range: {formatTimeRange(range, zone)}.{' '}
      {newest == null
        ? 'Try a wider one.'
        : `The newest ${what} began ${formatTimestamp(newest.startTime, zone, 'relative')}.`}
    </EmptyState>
  );
}

function Widen(props: { readonly range: TimeRange; readonly zone: string; readonly isFirst?: boolean }) {
  const { setRange } = useProjectView();
  return (
    <Button variant={props.isFirst === true ? 'primary' : 'secondary'} onPress={() => setRange(props.range)}>
      Show {formatTimeRangeInSentence(props.range, props.zone)}
    </Button>
  );
}
