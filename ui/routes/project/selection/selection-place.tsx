import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { NOTHING_SELECTED } from '#ui/components/data-table/selection.ts';
import { useHasSelection, useSelection } from '#ui/components/data-table/selection-store.ts';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { useProjectView } from '../project-view.ts';
import { type BulkAction, isOver, readBulkAction, useBulkActions } from './bulk-actions.ts';
import { describeAction } from './describe-action.ts';
import styles from './selection-bar.module.css';

const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));
const ActionCard = lazy(async () => ({ default: (await import('./action-card.tsx')).ActionCard }));

interface SelectionPlaceProps {
  readonly projectId: string;
  /** Undefined where no rows can be selected. */
  readonly scope: ListScope | undefined;
  /** False while a panel has all of the page. */
  readonly isSeen: boolean;
  /** Told when the bar goes that has the focus, or that opened the window that has it. */
  readonly onFocusLost: () => void;
}

/** The end of a table: what can be done with its selected rows, and how far what was done is. */
export function SelectionPlace({ projectId, scope, isSeen, onFocusLost }: SelectionPlaceProps) {
  const { selection } = useListContext();
  const { refresh } = useProjectView();
  const hasSelection = useHasSelection(selection);
  const { actions, follow, close } = useBulkActions(projectId, refresh);
  const [startedCount, setStartedCount] = useState(0);

  function start(started: BulkAction): void {
    const action = readBulkAction(started);
    selection.set(NOTHING_SELECTED);
    follow(action);
    if (isOver(action)) refresh();
    setStartedCount((before) => before + 1);
  }

  const keepFocus = useEffectEvent(() => {
    if (document.activeElement === document.body) onFocusLost();
  });
  // Once the window is gone, and with the selection the bar to which the focus would return.
  useEffect(() => {
    if (startedCount > 0) keepFocus();
  }, [startedCount]);

  return (
    <>
      <VisuallyHidden>
        <output>
          <SelectedAmount />
          {actions.filter(isOver).map((action) => (
            <span key={action.id}>{describeAction(action)}</span>
          ))}
        </output>
      </VisuallyHidden>
      <div className={styles.dock} hidden={!isSeen}>
        <div className={styles.cards} data-cards={actions.length > 0 || undefined}>
          {actions.map((action) => (
            <Suspense key={action.id}>
              <ActionCard action={action} onClose={() => close(action.id)} />
            </Suspense>
          ))}
        </div>
        {hasSelection && isSeen && scope !== undefined && (
          <Suspense>
            <SelectionBar scope={scope} onStarted={start} onFocusLost={onFocusLost} />
          </Suspense>
        )}
      </div>
    </>
  );
}

/** Says how much is selected to those who do not see the bar. */
function SelectedAmount() {
  const { selection, noun } = useListContext();
  const { isAll, ids } = useSelection(selection);
  const count = ids.size;
  if (isAll) return count === 0 ? `All ${noun} selected` : `All ${noun} selected except for ${formatExact(count)}`;
  return count > 0 && `${formatExact(count)} ${nounOf(count, noun)} selected`;
}
