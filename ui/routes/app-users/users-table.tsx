import { useNavigate } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { type CSSProperties, type Ref, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { DataTable, type DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import type { RowForm } from '#ui/components/data-table/table-column.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import type { ColumnLayout } from '#ui/lib/columns.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatTimeRange, formatTimeRangeInSentence } from '#ui/lib/time-range-text.ts';
import { widenTimeRange } from '#ui/lib/time-range.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { durationScale } from '../project/duration-scale.ts';
import { keepTime } from '../project/project-pages.ts';
import { useProjectView } from '../project/project-view.ts';
import { useSort } from '../project/use-sort.ts';
import projectStyles from '../project/project.module.css';
import { encodeUserId } from './user-address.ts';
import { renderUserCard, USER_COLUMNS, type UserRow } from './user-columns.tsx';
import { type UsersFetch, useUsers } from './use-users.ts';

/** What the table has of the page around. */
export interface UsersTableFrame {
  readonly layout: ColumnLayout;
  readonly onLayoutChange: (layout: ColumnLayout) => void;
  readonly rowForm: RowForm;
  readonly ref: Ref<DataTableHandle>;
}

interface UsersTableProps extends UsersTableFrame {
  readonly fetch: UsersFetch;
  /** Told how many there are. */
  readonly onTotal: (total: number | undefined) => void;
  readonly onClearSearch: () => void;
}

/** The users of a project, who lead to their pages. */
export function UsersTable({ fetch, onTotal, onClearSearch, ...frame }: UsersTableProps) {
  const { rows, total, share, hasNext, loadNext } = useUsers(fetch);
  const [failure, setFailure] = useState<Error | null>(null);
  const isLoading = useRef(false);
  const navigate = useNavigate();
  const onSort = useSort(fetch.sort);
  const { projectId } = fetch;
  useEffect(() => {
    onTotal(total);
    return () => onTotal(undefined);
  }, [onTotal, total]);

  function loadMore(): void {
    if (isLoading.current || !hasNext) return;
    isLoading.current = true;
    loadNext((error) => {
      isLoading.current = false;
      setFailure(error);
    });
  }

  return (
    <>
      <DataTable
        {...frame}
        label="Users"
        columns={USER_COLUMNS}
        rows={rows}
        useRow={itself}
        renderCard={renderUserCard}
        sort={fetch.sort}
        onSort={onSort}
        onOpen={(id) =>
          void navigate({
            to: '/projects/$projectId/users/$userParam',
            params: { projectId, userParam: encodeUserId(id) },
            search: keepTime,
          })
        }
        hasNext={hasNext && failure === null}
        onNearEnd={loadMore}
        style={{ '--scale-ms': durationScale(rows.map(({ latencyMsP95 }) => latencyMsP95)) } as CSSProperties}
      >
        {rows.length === 0 ? <NoUsers search={fetch.search} onClearSearch={onClearSearch} /> : undefined}
      </DataTable>
      {failure !== null && (
        <div role="alert" className={projectStyles.failedPage}>
          More users could not be loaded. {describeError(failure)}
          <Button size="sm" onPress={loadMore}>
            Try again
          </Button>
        </div>
      )}
      {share < 1 && (
        <div className={projectStyles.look}>
          Computed from the newest {Math.max(1, Math.floor(share * 100))} % of the traces. A narrower time range covers
          all of them.
        </div>
      )}
    </>
  );
}

function NoUsers({ search, onClearSearch }: { readonly search: string; readonly onClearSearch: () => void }) {
  const { range, setRange } = useProjectView();
  const zone = useTimeZone();
  const wider = widenTimeRange(range);
  if (search !== '') {
    return (
      <EmptyState
        icon={UsersRound}
        title={`No user id contains “${search}”`}
        action={
          <>
            <Button variant="primary" onPress={onClearSearch}>
              Clear the search
            </Button>
            {wider !== undefined && (
              <Button onPress={() => setRange(wider)}>Show {formatTimeRangeInSentence(wider, zone)}</Button>
            )}
          </>
        }
      >
        Time range: {formatTimeRange(range, zone)}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={UsersRound}
      title="No users in this time range"
      action={
        wider !== undefined && (
          <Button variant="primary" onPress={() => setRange(wider)}>
            Show {formatTimeRangeInSentence(wider, zone)}
          </Button>
        )
      }
    >
      Traces belong to the users that their spans name in the attribute <code>user.id</code>. With OpenInference, wrap
      the request in <code>using_user("…")</code>.
    </EmptyState>
  );
}

function itself(row: UserRow): UserRow {
  return row;
}
