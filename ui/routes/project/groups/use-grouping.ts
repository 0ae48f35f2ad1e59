import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readSort, type Sort } from '#ui/components/data-table/table-column.ts';
import { groupColumns } from './group-columns.tsx';
import { groupingOf, LARGEST_FIRST } from './groupings.ts';

/** By what the address groups a table, with the columns and the order of the groups; undefined where it lists rows. */
export function useGrouping(grain: 'span' | 'trace', label: string) {
  const { group, sort } = useSearch({ strict: false });
  return useMemo(() => {
    const grouping = groupingOf(grain, group);
    if (grouping === undefined) return undefined;
    const columns = groupColumns(grouping, label);
    const sortable = columns.filter(({ isSortable }) => isSortable).map(({ id }) => id);
    const order: Sort = readSort(sort, sortable, LARGEST_FIRST);
    return { grouping, columns, sort: order };
  }, [grain, group, sort, label]);
}
