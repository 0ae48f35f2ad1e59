import { ArrowDownUp } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { useSort } from './use-sort.ts';

/** Orders the rows where there is no header to press. Choosing what is chosen turns the order round. */
export function SortMenu<Row>({
  columns,
  sort,
}: {
  readonly columns: readonly TableColumn<Row>[];
  readonly sort: Sort;
}) {
  const onSort = useSort(sort);
  const words = columns
    .filter(({ isSortable }) => isSortable)
    .map(({ id, header }) => ({
      id,
      text: id === sort.column ? `${header}, ${describe(id, sort.direction)}` : header,
    }));
  return (
    <MenuTrigger>
      <IconButton icon={ArrowDownUp} label="Sort" />
      <Menu
        label="Sort by"
        selectionMode="single"
        selectedKeys={[sort.column]}
        onAction={(key) => onSort(String(key))}
        placement="bottom end"
      >
        {words.map(({ id, text }) => (
          <MenuItem key={id} id={id}>
            {text}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

function describe(column: string, direction: 'asc' | 'desc'): string {
  if (column === 'start') return direction === 'desc' ? 'newest first' : 'oldest first';
  return direction === 'desc' ? 'largest first' : 'smallest first';
}
