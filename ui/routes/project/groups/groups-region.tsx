import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { effectiveFilter } from '../filter/effective-filter.ts';
import { ListRegion } from '../list-region.tsx';
import type { GroupRow } from './group-columns.tsx';
import type { Grouping } from './groupings.ts';
import { GroupsTable } from './groups-table.tsx';

interface GroupsRegionProps {
  readonly grain: 'span' | 'trace';
  readonly grouping: Grouping;
  readonly columns: readonly TableColumn<GroupRow>[];
  /** Of spans: only those that begin a trace. */
  readonly rootsOnly?: boolean;
}

/** The place of a grouped table. */
export function GroupsRegion({ grain, grouping, columns, rootsOnly = false }: GroupsRegionProps) {
  return (
    <ListRegion
      title="The groups could not be loaded"
      query={grain === 'span' ? 'readGroupsSpansQuery' : 'readGroupsTracesQuery'}
      columns={columns}
      choice={`${grouping.id} ${rootsOnly}`}
    >
      {(fetch) => (
        <GroupsTable
          grain={grain}
          grouping={grouping}
          fetch={{ ...fetch, filter: effectiveFilter(fetch.filter, rootsOnly) }}
        />
      )}
    </ListRegion>
  );
}
