import type { ReactNode, Ref } from 'react';
import { DataTable, type DataTableHandle, type RowRef } from '#ui/components/data-table/data-table.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useColumnLayout, useDensity } from '../project/use-column-layout.ts';

/** See {@link SettingsTable}. */
export interface SettingsTableProps<TRef extends RowRef, Row> {
  /** Under which the browser keeps the widths of the columns. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly TRef[];
  readonly useRow: (ref: TRef) => Row;
  readonly renderCard: (row: Row) => ReactNode;
  readonly openId?: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly hasNext?: boolean;
  readonly onNearEnd?: () => void;
  readonly isLoading?: boolean;
  readonly ref?: Ref<DataTableHandle>;
  /** Stands where rows would. */
  readonly children?: ReactNode;
}

/** A table in the order of the server. */
export function SettingsTable<TRef extends RowRef, Row>(props: SettingsTableProps<TRef, Row>) {
  const [layout, setLayout] = useColumnLayout('settings', props.name, props.columns);
  const [density] = useDensity();
  const isNarrow = useMediaQuery(NARROW);
  return (
    <DataTable
      {...props}
      layout={layout}
      onLayoutChange={setLayout}
      rowForm={isNarrow ? 'card' : density}
      sort={UNSORTED}
      onSort={() => undefined}
    />
  );
}

/** No column sorts. */
const UNSORTED = { column: '', direction: 'asc' } as const;
