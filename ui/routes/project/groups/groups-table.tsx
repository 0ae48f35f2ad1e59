import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useImperativeHandle, useMemo, useRef } from 'react';
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay';
import type { groupsTable_groups$key } from '#ui/__generated__/groupsTable_groups.graphql.ts';
import type { groupsTableSpansQuery, RowGroupColumn } from '#ui/__generated__/groupsTableSpansQuery.graphql.ts';
import type { groupsTableTracesQuery } from '#ui/__generated__/groupsTableTracesQuery.graphql.ts';
import { DataTable, type DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { useAttempt } from '#ui/components/error-boundary.tsx';
import { durationScale } from '../duration-scale.ts';
import { EmptyList } from '../empty-list.tsx';
import { joinFilters } from '../filter/join-filters.ts';
import { useListContext } from '../list-context.ts';
import styles from '../project.module.css';
import type { ListFetch } from '../use-list-page.tsx';
import { useSort } from '../use-sort.ts';
import { GroupCard, groupColumns, type GroupRow } from './group-columns.tsx';
import type { Grouping } from './groupings.ts';

const SPANS = graphql`
  query groupsTableSpansQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $by: String!
    $sort: RowGroupSort
  ) {
    project: node(id: $projectId) {
      ... on Project {
        groups: spanGroups(timeRange: $timeRange, filterCondition: $filter, by: $by, sort: $sort, first: 200) {
          ...groupsTable_groups
        }
      }
    }
  }
`;

const TRACES = graphql`
  query groupsTableTracesQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $by: String!
    $sort: RowGroupSort
  ) {
    project: node(id: $projectId) {
      ... on Project {
        groups: traceGroups(timeRange: $timeRange, traceFilterCondition: $filter, by: $by, sort: $sort, first: 200) {
          ...groupsTable_groups
        }
      }
    }
  }
`;

const GROUPS = graphql`
  fragment groupsTable_groups on RowGroups {
    isPartial
    share
    otherGroupCount
    groups {
      isRest
      value
      filter
      count
      errorRate
      latencyMsP50
      latencyMsP95
      tokenCountTotal
      costTotal
      lastStartTime
    }
  }
`;

interface GroupsTableProps {
  readonly grain: 'span' | 'trace';
  readonly grouping: Grouping;
  /** Whose filter is all that the rows match. */
  readonly fetch: ListFetch;
}

/** The rows of a project by what they have in common, with figures of each; a group opens the table of its rows. */
export function GroupsTable({ grain, grouping, fetch }: GroupsTableProps) {
  return grain === 'span' ? (
    <SpanGroups grouping={grouping} fetch={fetch} />
  ) : (
    <TraceGroups grouping={grouping} fetch={fetch} />
  );
}

function SpanGroups(props: Omit<GroupsTableProps, 'grain'>) {
  const { variables, options } = useQuestion(props);
  const { project } = useLazyLoadQuery<groupsTableSpansQuery>(SPANS, variables, options);
  return <Groups {...props} grain="span" groups={project.groups ?? null} />;
}

function TraceGroups(props: Omit<GroupsTableProps, 'grain'>) {
  const { variables, options } = useQuestion(props);
  const { project } = useLazyLoadQuery<groupsTableTracesQuery>(TRACES, variables, options);
  return <Groups {...props} grain="trace" groups={project.groups ?? null} />;
}

const COLUMNS: Readonly<Record<string, RowGroupColumn>> = {
  count: 'count',
  errors: 'errorRate',
  p50: 'latencyMsP50',
  p95: 'latencyMsP95',
  tokens: 'tokenCountTotal',
  cost: 'costTotal',
  last: 'lastStartTime',
};

function useQuestion({ grouping, fetch }: Omit<GroupsTableProps, 'grain'>) {
  const { projectId, timeRange, filter, sort, refreshCount } = fetch;
  const order = { col: COLUMNS[sort.column] ?? 'count', dir: sort.direction };
  return {
    variables: { projectId, timeRange, filter, by: grouping.by, sort: order },
    options: { fetchKey: `${refreshCount}.${useAttempt()}`, fetchPolicy: 'store-and-network' },
  } as const;
}

function Groups(props: GroupsTableProps & { readonly groups: groupsTable_groups$key | null }) {
  const { grain, grouping } = props;
  const { label, noun, sort, layout, setLayout, rowForm, handle } = useListContext();
  const found = useFragment(GROUPS, props.groups);
  const onSort = useSort(sort);
  const navigate = useNavigate();
  const table = useRef<DataTableHandle>(null);
  const columns = useMemo(() => groupColumns(grouping, label), [grouping, label]);
  const rows = useMemo(
    () =>
      (found?.groups ?? []).map(
        ({ isRest, filter, value, ...figures }): GroupRow => ({
          ...figures,
          id: isRest ? 'rest' : JSON.stringify(value ?? null),
          otherCount: isRest ? (found?.otherGroupCount ?? 0) : null,
          value: value ?? null,
          filter: filter ?? null,
          latencyMsP50: figures.latencyMsP50 ?? null,
          latencyMsP95: figures.latencyMsP95 ?? null,
        }),
      ),
    [found],
  );
  useImperativeHandle(handle, () => ({
    step: (delta) => table.current?.step(delta),
    focusRow: () => table.current?.focusRow(undefined),
  }));

  function open(id: string): void {
    const filter = rows.find((row) => row.id === id)?.filter ?? null;
    if (filter === null) return;
    void navigate({
      to: '.',
      search: (before) => ({
        ...before,
        filter: joinFilters(before.filter ?? null, filter, grain) ?? undefined,
        group: undefined,
        sort: undefined,
      }),
    });
  }

  return (
    <>
      <DataTable
        ref={table}
        label={`${label} by ${grouping.label.toLowerCase()}`}
        columns={columns}
        layout={layout}
        onLayoutChange={setLayout}
        // A group has no text of its own: two lines are enough on a phone, too.
        rowForm={rowForm === 'card' ? 'pair' : rowForm}
        rows={rows}
        useRow={itself}
        renderCard={(group) => <GroupCard group={group} grouping={grouping} noun={noun} />}
        sort={sort}
        onSort={onSort}
        onOpen={open}
        style={{ '--scale-ms': durationScale(rows.map(({ latencyMsP95 }) => latencyMsP95)) } as CSSProperties}
      >
        {rows.length === 0 ? <EmptyList isPartial={found?.isPartial === true} /> : undefined}
      </DataTable>
      {grouping.note !== undefined && rows.length > 0 && <div className={styles.look}>{grouping.note}</div>}
      {found?.isPartial === true && (
        <div className={styles.look}>
          Computed from the newest {Math.max(1, Math.floor(found.share * 100))} % of the {noun}. A narrower time range
          covers all of them.
        </div>
      )}
    </>
  );
}

function itself(row: GroupRow): GroupRow {
  return row;
}
