import { useNavigate } from '@tanstack/react-router';
import { nextSort, readSort, type Sort, writeSort } from '#ui/components/data-table/table-column.ts';

/** Orders a table by a column, or the other way round where it is in that order already. */
export function useSort(sort: Sort): (column: string) => void {
  const navigate = useNavigate();
  return (column) =>
    void navigate({
      to: '.',
      search: (before) => {
        // The address may be ahead of what is drawn.
        const latest = readSort(before.sort, [column], sort);
        return { ...before, sort: writeSort(nextSort(latest, column)) };
      },
      replace: true,
    });
}
