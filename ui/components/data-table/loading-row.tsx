import styles from './data-table.module.css';
import type { TableColumn } from './table-column.ts';

interface LoadingRowProps {
  readonly columns: readonly Pick<TableColumn<never>, 'id' | 'align'>[];
  readonly index: number;
  readonly isCard: boolean;
  readonly isSelectable: boolean;
}

/** Where a row will stand. */
export function LoadingRow({ columns, index, isCard, isSelectable }: LoadingRowProps) {
  const cells = isCard ? [{ id: 'card', align: undefined }] : columns;
  return (
    <div className={styles.loadingRow} data-card={isCard}>
      {isSelectable && <div />}
      {cells.map(({ id, align }, column) => (
        <div key={id} className={styles.cell} data-align={align}>
          {/* Widths vary, as those of text do. */}
          <span className={styles.bone} style={{ width: `${45 + ((index * 29 + column * 37) % 40)}%` }} />
        </div>
      ))}
    </div>
  );
}
