import { memo, type ReactNode } from 'react';
import styles from './data-table.module.css';
import { SelectCell } from './select-cell.tsx';
import { type SelectionStore, useIsSelected } from './selection-store.ts';
import type { TableColumn } from './table-column.ts';

interface DataRowProps<TRef, Row> {
  readonly row: TRef;
  readonly useRow: (ref: TRef) => Row;
  readonly columns: readonly TableColumn<Row>[];
  /** Given where rows are cards. */
  readonly renderCard: ((row: Row) => ReactNode) | undefined;
  readonly index: number;
  readonly top: number;
  /** Has the keyboard, or would have it if the table did. */
  readonly isActive: boolean;
  readonly isOpen: boolean;
  /** Given where rows can be selected. */
  readonly selection: RowSelection<Row> | undefined;
}

/** How the rows of a table are selected. */
export interface RowSelection<Row> {
  readonly store: SelectionStore;
  /** What a row is called: `Select <name>` is said of its checkbox. */
  readonly nameOf: (row: Row) => string;
}

/** One row of a table, read and drawn again only when it changes itself. */
export const DataRow = memo(DataRowInner) as typeof DataRowInner;

function DataRowInner<TRef extends { readonly id: string }, Row>(props: DataRowProps<TRef, Row>) {
  const { row: ref, useRow, columns, renderCard, index } = props;
  const row = useRow(ref);
  const { store, nameOf } = props.selection ?? {};
  const isSelected = useIsSelected(store, ref.id);

  return (
    <tr
      data-id={ref.id}
      aria-rowindex={index + 2}
      aria-selected={store === undefined ? undefined : isSelected}
      aria-current={props.isOpen || undefined}
      tabIndex={props.isActive ? 0 : -1}
      className={renderCard === undefined ? styles.row : styles.card}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {nameOf !== undefined && <SelectCell label={`Select ${nameOf(row)}`} isSelected={isSelected} />}
      {renderCard === undefined ? (
        columns.map((column) => (
          <td key={column.id} data-column={column.id} className={styles.cell} data-align={column.align}>
            {column.render(row)}
          </td>
        ))
      ) : (
        <td className={styles.cardCell}>{renderCard(row)}</td>
      )}
    </tr>
  );
}
