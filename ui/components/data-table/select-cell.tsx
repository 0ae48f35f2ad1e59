import { useLayoutEffect, useRef } from 'react';
import { markOf, type PageMark, togglePage } from './selection.ts';
import { type SelectionStore, useStoreValue } from './selection-store.ts';
import styles from './select-cell.module.css';

/** The checkbox of a row. The table hears its press, and from a row the key `x` reaches it sooner than the tab key. */
export function SelectCell({ label, isSelected }: { readonly label: string; readonly isSelected: boolean }) {
  return (
    <td className={styles.cell}>
      <label className={styles.target}>
        <input
          type="checkbox"
          className={styles.box}
          aria-label={label}
          tabIndex={-1}
          checked={isSelected}
          onChange={() => undefined}
        />
      </label>
    </td>
  );
}

interface SelectPageProps {
  readonly store: SelectionStore;
  readonly rows: readonly { readonly id: string }[];
  readonly onToggle: () => void;
}

/** The checkbox of all loaded rows, in the header. */
export function SelectPageCell({ store, rows, onToggle }: SelectPageProps) {
  const loaded = rows.map(({ id }) => id);
  const mark = useStoreValue(store, (selection) => markOf(selection, loaded), 'none');
  return (
    <th scope="col" className={styles.cell}>
      <PageBox mark={mark} isDisabled={loaded.length === 0} onToggle={onToggle} />
    </th>
  );
}

/** The same checkbox where a table has no header. */
export function SelectPageBox({ store }: { readonly store: SelectionStore }) {
  const mark = useStoreValue(store, (selection) => markOf(selection, store.loaded()), 'none');
  return <PageBox mark={mark} onToggle={() => store.set(togglePage(store.get(), store.loaded()))} />;
}

interface PageBoxProps {
  readonly mark: PageMark;
  readonly isDisabled?: boolean;
  readonly onToggle: () => void;
}

function PageBox({ mark, isDisabled = false, onToggle }: PageBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  // Only a script can say that of a checkbox.
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = mark === 'some';
  }, [mark]);
  return (
    <label className={styles.target}>
      <input
        ref={box}
        type="checkbox"
        className={styles.box}
        aria-label="Select all loaded rows"
        checked={mark === 'all'}
        disabled={isDisabled}
        onChange={onToggle}
      />
    </label>
  );
}
