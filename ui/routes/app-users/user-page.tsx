import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { UserRoundX } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatTimestamp } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useNow } from '#ui/lib/now.ts';
import { presetHolding } from '#ui/lib/time-range.ts';
import { formatTimeRange, formatTimeRangeInSentence } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useTotals } from '../project/figures/use-totals.ts';
import { type ListScope, useRefresh } from '../project/list-scope.ts';
import { useProjectView } from '../project/project-view.ts';
import { type Seen, useSeen } from './use-seen.ts';
import { decodeUserId } from './user-address.ts';
import { UserCharts } from './user-charts.tsx';
import { UserFigures } from './user-figures.tsx';
import { ofUser } from './user-filters.ts';
import { UserHeader } from './user-header.tsx';
import { UserSessions } from './user-sessions.tsx';
import { UserTraces } from './user-traces.tsx';
import styles from './user-page.module.css';

/** What a user of the application did, and what it cost. */
export function UserPage() {
  const { userParam } = useParams({ from: '/projects/$projectId/users/$userParam' });
  const userId = decodeUserId(userParam);
  return <User key={userId} userId={userId} />;
}

function User({ userId }: { readonly userId: string }) {
  const { projectId, timeRange } = useProjectView();
  const isNarrow = useMediaQuery(NARROW);
  const refresh = useRefresh();
  const scope = useMemo(
    (): ListScope => ({ projectId, timeRange, grain: 'trace', filter: ofUser(userId), refresh }),
    [projectId, timeRange, userId, refresh],
  );
  const totals = useTotals(scope);
  const seen = useSeen(projectId, userId, refresh);
  const isEmpty = totals.data?.count === 0 && !totals.isLoading;
  return (
    <section className={styles.page} aria-label={`User ${revealHidden(userId)}`}>
      <UserHeader userId={userId} seen={seen} />
      {isEmpty ? (
        <Nothing userId={userId} seen={seen} />
      ) : (
        <>
          <UserFigures scope={scope} totals={totals} />
          {!isNarrow && <UserCharts scope={scope} />}
          <Lists scope={scope} isNarrow={isNarrow} />
        </>
      )}
    </section>
  );
}

const SESSIONS = { id: 'sessions', label: 'Sessions' } as const;
const TRACES = { id: 'traces', label: 'Traces' } as const;
const CHARTS = { id: 'charts', label: 'Charts' } as const;

function Lists({ scope, isNarrow }: { readonly scope: ListScope; readonly isNarrow: boolean }) {
  const { show = 'sessions' } = useSearch({ from: '/projects/$projectId/users/$userParam' });
  const navigate = useNavigate();
  const shown = show === 'charts' && !isNarrow ? 'sessions' : show;
  return (
    <>
      <div className={styles.choice}>
        <SegmentedControl
          label="What is listed"
          items={isNarrow ? [SESSIONS, TRACES, CHARTS] : [SESSIONS, TRACES]}
          selectedKey={shown}
          onSelectionChange={(next) =>
            void navigate({
              to: '.',
              // Each table has an order of its own.
              search: (before) => ({ ...before, show: next === 'sessions' ? undefined : next, sort: undefined }),
              replace: true,
            })
          }
        />
      </div>
      {shown === 'charts' ? (
        <div className={styles.scroller}>
          <UserCharts scope={scope} />
        </div>
      ) : (
        <div className={styles.list}>
          {shown === 'sessions' ? <UserSessions scope={scope} /> : <UserTraces scope={scope} />}
        </div>
      )}
    </>
  );
}

/** In place of all else where the time has no trace of the user. */
function Nothing({ userId, seen }: { readonly userId: string; readonly seen: Seen | null | undefined }) {
  const { range, setRange } = useProjectView();
  const zone = useTimeZone();
  const nowMs = useNow();
  if (seen === undefined) return null;
  if (seen === null) {
    return (
      <EmptyState icon={UserRoundX} title="No span names this user">
        Nothing in this project has the user id <code>{revealHidden(userId)}</code>. It may be mistyped, or the traces
        were deleted.
      </EmptyState>
    );
  }
  const holding = presetHolding(seen.last, nowMs);
  return (
    <EmptyState
      icon={UserRoundX}
      title="No traces of this user in this time range"
      action={
        <Button variant="primary" onPress={() => setRange(holding)}>
          Show {formatTimeRangeInSentence(holding, zone)}
        </Button>
      }
    >
      Time range: {formatTimeRange(range, zone)}. The user was last seen {formatTimestamp(seen.last, zone, 'relative')}.
    </EmptyState>
  );
}
