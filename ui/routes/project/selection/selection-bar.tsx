import { FolderInput, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { SelectPageBox } from '#ui/components/data-table/select-cell.tsx';
import { NOTHING_SELECTED, selectAll } from '#ui/components/data-table/selection.ts';
import { useSelection } from '#ui/components/data-table/selection-store.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import type { BulkAction } from './bulk-actions.ts';
import { CompareSelected } from './compare-selected.tsx';
import { DeleteSelected } from './delete-selected.tsx';
import { DownloadSelected } from './download-selected.tsx';
import { MoveSelected } from './move-selected.tsx';
import styles from './selection-bar.module.css';
import { useRowCount } from './use-row-count.ts';

interface SelectionBarProps {
  readonly scope: ListScope;
  readonly onStarted: (action: BulkAction) => void;
  readonly onFocusLost: () => void;
}

/** What can be done with the selected rows, at the end of their table. */
export function SelectionBar({ scope, onStarted, onFocusLost }: SelectionBarProps) {
  const { selection: store, noun, rowForm } = useListContext();
  const selection = useSelection(store);
  const { isAll, ids } = selection;
  const found = useRowCount(scope);
  const total = found && { count: found.count - (isAll ? ids.size : 0), isExact: found.isExact };
  const mayChange = useMay('write');
  const [open, setOpen] = useState<'move' | 'delete'>();
  const asked = { scope, selection, onStarted, onClose: () => setOpen(undefined) };
  const bar = useRef<HTMLElement>(null);
  function clear(): void {
    const hasFocus = bar.current?.contains(document.activeElement) === true;
    store.set(NOTHING_SELECTED);
    if (hasFocus) onFocusLost();
  }

  useShortcuts('Selection', [{ keys: 'Escape', label: 'Clear the selection', run: clear }]);
  const canSelectAll = !isAll && total !== undefined && total.count > ids.size;
  return (
    <section ref={bar} className={styles.bar} aria-label={`Selected ${noun}`}>
      <span className={styles.count}>
        {(rowForm === 'card' || rowForm === 'pair') && <SelectPageBox store={store} />}
        <span>{isAll ? describeAll(total, noun) : `${formatExact(ids.size)} selected`}</span>
      </span>
      {canSelectAll && (
        <Button variant="ghost" size="sm" className={styles.all} onPress={() => store.set(selectAll())}>
          Select all {formatTotal(total)}
          {scope.filter !== null && ' matching'}
        </Button>
      )}
      <span className={styles.actions}>
        {scope.grain === 'trace' && !isAll && ids.size === 2 && <CompareSelected ids={[...ids]} />}
        <DownloadSelected scope={scope} selection={selection} />
        {mayChange && (
          <>
            <Button
              variant="ghost"
              size="sm"
              icon={FolderInput}
              aria-label={`Move selected ${noun}`}
              onPress={() => setOpen('move')}
            >
              <span className={styles.word}>Move</span>
            </Button>
            <Button
              variant="ghost"
              size="sm"
              icon={Trash2}
              aria-label={`Delete selected ${noun}`}
              className={styles.danger}
              onPress={() => setOpen('delete')}
            >
              <span className={styles.word}>Delete</span>
            </Button>
          </>
        )}
      </span>
      <IconButton icon={X} size="sm" label="Clear the selection" shortcut="Escape" onPress={clear} />
      {open === 'move' && <MoveSelected {...asked} />}
      {open === 'delete' && <DeleteSelected {...asked} />}
    </section>
  );
}

interface Total {
  readonly count: number;
  readonly isExact: boolean;
}

function describeAll(total: Total | undefined, noun: string): string {
  if (total === undefined) return `All ${noun} selected`;
  return `${total.isExact ? 'All ' : ''}${formatTotal(total)} ${nounOf(total.count, noun)} selected`;
}

/** `1,234`; `10,000+` where not all could be counted. */
function formatTotal({ count, isExact }: Total): string {
  return `${formatExact(count)}${isExact ? '' : '+'}`;
}
