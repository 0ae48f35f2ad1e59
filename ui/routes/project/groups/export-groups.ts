/** The rows of a grouped table for a file. */
import { fetchQuery } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { readGroupsSpansQuery } from '#ui/__generated__/readGroupsSpansQuery.graphql.ts';
import type { readGroupsTracesQuery } from '#ui/__generated__/readGroupsTracesQuery.graphql.ts';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { ExportedRow } from '../export/write-rows.ts';
import type { ListScope } from '../list-scope.ts';
import { describeGroup, type GroupRow } from './group-columns.tsx';
import type { Grouping } from './groupings.ts';
import { groupsQuestion, SPAN_GROUPS, toGroups, TRACE_GROUPS } from './read-groups.ts';

/** The groups that the table names, in its order; all others are the last row. */
export async function* exportGroups(
  environment: Environment,
  scope: ListScope,
  sort: Sort,
  grouping: Grouping,
): AsyncGenerator<readonly ExportedRow[]> {
  const question = groupsQuestion({ ...scope, sort }, grouping);
  const answer =
    scope.grain === 'span'
      ? await fetchQuery<readGroupsSpansQuery>(environment, SPAN_GROUPS, question).toPromise()
      : await fetchQuery<readGroupsTracesQuery>(environment, TRACE_GROUPS, question).toPromise();
  yield toGroups(answer?.project.groups).rows.map((group) => toExportedRow(group, grouping));
}

function toExportedRow(group: GroupRow, grouping: Grouping): ExportedRow {
  return {
    id: group.id,
    cells: {
      value: describeGroup(group, grouping),
      count: group.count,
      errors: group.errorRate,
      p50: group.latencyMsP50,
      p95: group.latencyMsP95,
      tokens: group.tokenCountTotal,
      cost: group.costTotal,
      last: group.lastStartTime,
    },
  };
}
