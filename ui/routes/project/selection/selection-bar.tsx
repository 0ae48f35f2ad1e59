import { FolderInput, ListPlus, type LucideIcon, PencilLine, Trash2, X } from 'lucide-react';
import { type ComponentType, useRef, useState } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { SelectPageBox } from '#ui/components/data-table/select-cell.tsx';
import { NOTHING_SELECTED, selectAll } from '#ui/components/data-table/selection.ts';
import { useSelection } from '#ui/components/data-table/selection-store.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { AnnotateSelected } from './annotate-selected.tsx';
import type { BulkAction } from './bulk-actions.ts';
import { CompareSelected } from './compare-selected.tsx';
import { DeleteSelected, type SelectedProps } from './delete-selected.tsx';
import { DownloadSelected } from './download-selected.tsx';
import { MoveSelected } from './move-selected.tsx';
import { QueueSelected } from './queue-selected.tsx';
import styles from './selection-bar.module.css';
import { useRowCount } from './use-row-count.ts';

interface SelectionBarProps {
  readonly scope: ListScope;
  readonly onStarted: (action: BulkAction) => void;
  readonly onFocusLost: () => void;
}

/** What is done with selected rows by a window of its own. */
interface SelectionAction {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly keys?: string;
  readonly isDanger?: boolean;
  readonly Window: ComponentType<SelectedProps>;
}

/** In the order of the bar. */
const ACTIONS: readonly SelectionAction[] = [
  { word: 'Annotate', icon: PencilLine, keys: 'a', Window: AnnotateSelected },
  { word: 'Queue', icon: ListPlus, keys: 'q', Window: QueueSelected },
  { word: 'Move', icon: FolderInput, Window: MoveSelected },
  { word: 'Delete', icon: Trash2, isDanger: true, Window: DeleteSelected },
];

/** What can be done with the selected rows, at the end of their table. */
export function SelectionBar({ scope, onStarted, onFocusLost }: SelectionBarProps) {
  const { selection: store, noun, rowForm } = useListContext();
  const selection = useSelection(store);
  const { isAll, ids } = selection;
  const found = useRowCount(scope);
  const total = found && { count: found.count - (isAll ? ids.size : 0), isExact: found.isExact };
  const mayChange = useMay('write');
  const [open, setOpen] = useState<SelectionAction>();
  const close = () => setOpen(undefined);
  const bar = useRef<HTMLElement>(null);
  function clear(): void {
    const hasFocus = bar.current?.contains(document.activeElement) === true;
    store.set(NOTHING_SELECTED);
    if (hasFocus) onFocusLost();
  }

  const keyed = mayChange ? ACTIONS : [];
  useShortcuts('Selection', [
    ...keyed.flatMap((action): readonly Shortcut[] =>
      action.keys === undefined
        ? []
        : [{ keys: action.keys, label: `${action.word} the selected rows`, run: () => setOpen(action) }],
    ),
    { keys: 'Escape', label: 'Clear the selection', run: clear },
  ]);
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
        {mayChange &&
          ACTIONS.map((action) => (
            <Button
              key={action.word}
              variant="ghost"
              size="sm"
              icon={action.icon}
              aria-label={`${action.word} selected ${noun}`}
              className={action.isDanger ? styles.danger : undefined}
              shortcut={action.keys}
              onPress={() => setOpen(action)}
            >
              <span className={styles.word}>{action.word}</span>
            </Button>
          ))}
      </span>
      <IconButton icon={X} size="sm" label="Clear the selection" shortcut="Escape" onPress={clear} />
      {open !== undefined && <open.Window scope={scope} selection={selection} onStarted={onStarted} onClose={close} />}
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
