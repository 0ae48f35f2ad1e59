import { memo, type ReactNode } from 'react';
import styles from './data-table.module.css';
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
}

/** One row of a table, read and drawn again only when it changes itself. */
export const DataRow = memo(DataRowInner) as typeof DataRowInner;

function DataRowInner<TRef extends { readonly id: string }, Row>(props: DataRowProps<TRef, Row>) {
  const { row: ref, useRow, columns, renderCard, index } = props;
  const row = useRow(ref);

  return (
    <tr
      data-id={ref.id}
      aria-rowindex={index + 2}
      aria-selected={props.isOpen}
      tabIndex={props.isActive ? 0 : -1}
      className={renderCard === undefined ? styles.row : styles.card}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {renderCard === undefined ? (
        columns.map((column) => (
          <td key={column.id} className={styles.cell} data-align={column.align}>
            {column.render(row)}
          </td>
        ))
      ) : (
        <td className={styles.cardCell}>{renderCard(row)}</td>
      )}
    </tr>
  );
}
