import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useImperativeHandle, useMemo, useRef } from 'react';
import { fetchQuery, useRelayEnvironment } from 'react-relay';
import type { GraphQLTaggedNode } from 'relay-runtime';
import type { readGroups_groups$key } from '#ui/__generated__/readGroups_groups.graphql.ts';
import type { readGroupsSpansQuery } from '#ui/__generated__/readGroupsSpansQuery.graphql.ts';
import type { readGroupsTracesQuery } from '#ui/__generated__/readGroupsTracesQuery.graphql.ts';
import { DataTable, type DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import { durationScale } from '../duration-scale.ts';
import { EmptyList } from '../empty-list.tsx';
import { joinFilters } from '../filter/join-filters.ts';
import { useListContext } from '../list-context.ts';
import styles from '../project.module.css';
import type { ListFetch } from '../use-list-page.tsx';
import { useSort } from '../use-sort.ts';
import { useLiveAnswer } from '../use-live-answer.ts';
import { GroupCard, groupColumns, type GroupRow } from './group-columns.tsx';
import type { Grouping } from './groupings.ts';
import { groupsQuestion, SPAN_GROUPS, toGroups, TRACE_GROUPS } from './read-groups.ts';

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
  const { variables, options } = useQuestion(SPAN_GROUPS, props);
  const { project } = useQuery<readGroupsSpansQuery>(SPAN_GROUPS, variables, options);
  return <Groups {...props} grain="span" groups={project.groups ?? null} />;
}

function TraceGroups(props: Omit<GroupsTableProps, 'grain'>) {
  const { variables, options } = useQuestion(TRACE_GROUPS, props);
  const { project } = useQuery<readGroupsTracesQuery>(TRACE_GROUPS, variables, options);
  return <Groups {...props} grain="trace" groups={project.groups ?? null} />;
}

function useQuestion(query: GraphQLTaggedNode, { grouping, fetch }: Omit<GroupsTableProps, 'grain'>) {
  const variables = groupsQuestion(fetch, grouping);
  const environment = useRelayEnvironment();
  // Whoever looks at the table sees the figures change where they stand.
  useLiveAnswer(() =>
    fetchQuery<readGroupsSpansQuery | readGroupsTracesQuery>(environment, query, variables).toPromise(),
  );
  return {
    variables,
    options: { version: fetch.refreshCount, fetchPolicy: 'store-and-network' },
  } as const;
}

function Groups(props: GroupsTableProps & { readonly groups: readGroups_groups$key | null }) {
  const { grain, grouping } = props;
  const { label, noun, sort, layout, setLayout, rowForm, handle } = useListContext();
  const onSort = useSort(sort);
  const navigate = useNavigate();
  const table = useRef<DataTableHandle>(null);
  const columns = useMemo(() => groupColumns(grouping, label), [grouping, label]);
  const { rows, share } = useMemo(() => toGroups(props.groups), [props.groups]);
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
        {rows.length === 0 ? <EmptyList isPartial={share < 1} /> : undefined}
      </DataTable>
      {grouping.note !== undefined && rows.length > 0 && <div className={styles.look}>{grouping.note}</div>}
      {share < 1 && (
        <div className={styles.look}>
          Computed from the newest {Math.max(1, Math.floor(share * 100))} % of the {noun}. A narrower time range covers
          all of them.
        </div>
      )}
    </>
  );
}

function itself(row: GroupRow): GroupRow {
  return row;
}
