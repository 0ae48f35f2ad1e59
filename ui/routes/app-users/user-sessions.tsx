import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CSSProperties, useMemo, useRef } from 'react';
import { graphql } from 'react-relay';
import type { RowGroupColumn, userSessionsQuery } from '#ui/__generated__/userSessionsQuery.graphql.ts';
import { DataTable, type DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { readSort } from '#ui/components/data-table/table-column.ts';
import { ErrorState } from '#ui/components/error-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { durationScale } from '../project/duration-scale.ts';
import { joinFilters } from '../project/filter/join-filters.ts';
import type { ListScope } from '../project/list-scope.ts';
import { keepTime } from '../project/project-pages.ts';
import projectStyles from '../project/project.module.css';
import { useColumnLayout, useDensity } from '../project/use-column-layout.ts';
import { useSort } from '../project/use-sort.ts';
import {
  LATEST_FIRST,
  renderSessionCard,
  type SessionOfUser,
  SORTABLE,
  USER_SESSION_COLUMNS,
} from './user-session-columns.tsx';

const QUERY = graphql`
  query userSessionsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $sort: RowGroupSort) {
    project: node(id: $projectId) {
      ... on Project {
        traceGroups(by: "session", timeRange: $timeRange, traceFilterCondition: $filter, sort: $sort, first: 200) {
          isPartial
          share
          otherGroupCount
          groups {
            isRest
            filter
            count
            errorRate
            latencyMsP95
            tokenCountTotal
            costTotal
            lastStartTime
            session {
              id
              sessionId
              firstInput {
                mimeType
                truncatedValue
              }
              lastOutput {
                mimeType
                truncatedValue
              }
            }
          }
        }
      }
    }
  }
`;

const COLUMNS: Readonly<Record<string, RowGroupColumn>> = {
  last: 'lastStartTime',
  traces: 'count',
  errors: 'errorRate',
  p95: 'latencyMsP95',
  tokens: 'tokenCountTotal',
  cost: 'costTotal',
};

/** The sessions of a user with what the user's traces in each come to; those without a session are one row. */
export function UserSessions({ scope }: { readonly scope: ListScope }) {
  const { projectId, timeRange, filter, refresh } = scope;
  const { sort: order } = useSearch({ from: '/projects/$projectId/users/$userParam' });
  const sort = readSort(order, SORTABLE, LATEST_FIRST);
  const [layout, onLayoutChange] = useColumnLayout(projectId, 'user.sessions', USER_SESSION_COLUMNS);
  const [density] = useDensity();
  const isNarrow = useMediaQuery(NARROW);
  const table = useRef<DataTableHandle>(null);
  const onSort = useSort(sort);
  const navigate = useNavigate();
  const variables = {
    projectId,
    timeRange,
    filter,
    sort: { col: COLUMNS[sort.column] ?? 'lastStartTime', dir: sort.direction },
  } as const;
  const { data, error, isLoading, ask } = useAnswer<userSessionsQuery>(QUERY, variables, refresh);
  const found = data?.project.traceGroups;
  const rows = useMemo(() => toRows(found, projectId), [found, projectId]);
  useShortcuts('Sessions', [
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);

  function open(id: string): void {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return;
    if (row.session !== null) {
      void navigate({
        to: '/projects/$projectId/sessions/$sessionId',
        params: { projectId, sessionId: row.session.id },
        search: (before) => ({ ...keepTime(before), view: 'full' }),
      });
      return;
    }
    const isRest = row.otherCount !== null;
    void navigate({
      to: isRest ? '/projects/$projectId/sessions' : '/projects/$projectId/traces',
      params: { projectId },
      search: (before) => ({
        ...keepTime(before),
        filter: (isRest ? filter : joinFilters(filter, row.filter, 'trace')) ?? undefined,
      }),
    });
  }

  if (error !== undefined) {
    return <ErrorState title="The sessions could not be loaded" error={error} onRetry={ask} />;
  }
  return (
    <>
      <ProgressLine isActive={isLoading && data !== undefined} label="Loading sessions" />
      <DataTable
        ref={table}
        label="Sessions of the user"
        columns={USER_SESSION_COLUMNS}
        layout={layout}
        onLayoutChange={onLayoutChange}
        rowForm={isNarrow ? 'card' : density}
        rows={rows}
        useRow={itself}
        renderCard={renderSessionCard}
        sort={sort}
        onSort={onSort}
        onOpen={open}
        isLoading={data === undefined}
        style={{ '--scale-ms': durationScale(rows.map(({ latencyMsP95 }) => latencyMsP95)) } as CSSProperties}
      />
      {found?.isPartial === true && (
        <div className={projectStyles.look}>
          Computed from the newest {Math.max(1, Math.floor(found.share * 100))} % of the traces. A narrower time range
          covers all of them.
        </div>
      )}
    </>
  );
}

function toRows(
  found: userSessionsQuery['response']['project']['traceGroups'],
  projectId: string,
): readonly SessionOfUser[] {
  return (found?.groups ?? []).map(({ isRest, filter, session, latencyMsP95, ...figures }) => ({
    ...figures,
    projectId,
    id: session?.id ?? (isRest ? 'rest' : 'none'),
    otherCount: isRest ? (found?.otherGroupCount ?? 0) : null,
    filter: filter ?? null,
    session: session ?? null,
    latencyMsP95: latencyMsP95 ?? null,
  }));
}

function itself(row: SessionOfUser): SessionOfUser {
  return row;
}
