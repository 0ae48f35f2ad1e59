import { Bookmark } from 'lucide-react';
import { useContext, useState } from 'react';
import type { ViewTable } from '#domain/saved-view';
import { Button } from '#ui/components/button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { Sheet } from '#ui/components/sheet.tsx';
import type { ColumnSpec } from '#ui/lib/columns.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useProjectView } from '../project-view.ts';
import { describeChanges } from './describe-changes.ts';
import { OpenViewContext } from './open-view.ts';
import { useViews } from './view-data.ts';
import { ViewDialog, type ViewWindow } from './view-dialog.tsx';
import { ViewPanel } from './view-panel.tsx';
import { changedParts, type TableState, toContent } from './view-state.ts';
import { tableOf } from './view-tables.ts';
import styles from './views.module.css';

/** See {@link ViewMenu}. */
export interface ViewMenuProps {
  readonly table: ViewTable;
  readonly state: TableState;
  readonly columns: readonly ColumnSpec[];
  /** Whether it stands on a phone: without its name, and opening a sheet. */
  readonly isCompact: boolean;
}

/** The view that a table shows and whether it was changed; leads to all others. */
export function ViewMenu({ table, state, columns, isCompact }: ViewMenuProps) {
  const { projectId } = useProjectView();
  const open = useContext(OpenViewContext);
  const { views, error, refresh } = useViews(projectId);
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<ViewWindow>();
  const ofTable = views?.filter((view) => tableOf(view) === table);
  const shown = ofTable?.find(({ id }) => id === open?.id);
  const changed = open === undefined || shown === undefined ? [] : changedParts(open.content, state, columns);
  const change = (next: boolean) => {
    setIsOpen(next);
    if (next) refresh();
  };
  useShortcuts('Views', [{ keys: 'g v', label: 'Open or save a view', run: () => change(true) }]);
  const button = (
    <Button
      variant="ghost"
      icon={Bookmark}
      tooltip={changed.length > 0 ? describeChanges(changed) : 'Open or save a view'}
      shortcut="g v"
      aria-label={
        shown === undefined ? 'Views' : `View: ${revealHidden(shown.name)}${changed.length > 0 ? ', changed' : ''}`
      }
      className={shown === undefined ? undefined : styles.chosen}
      {...(isCompact && { onPress: () => change(true) })}
    >
      {!isCompact && (
        <span className={styles.shownName}>{shown === undefined ? 'Views' : <Name>{shown.name}</Name>}</span>
      )}
      {changed.length > 0 && <span className={styles.mark} />}
    </Button>
  );
  const panel = (
    <ViewPanel
      table={table}
      views={ofTable}
      error={error}
      onRetry={refresh}
      shown={shown}
      changed={changed}
      content={toContent(state)}
      onWindow={(next) => {
        setIsOpen(false);
        setDialog(next);
      }}
      onClose={() => setIsOpen(false)}
    />
  );
  return (
    <>
      {isCompact ? (
        <>
          {button}
          <Sheet label="Views" isOpen={isOpen} onOpenChange={change}>
            {panel}
          </Sheet>
        </>
      ) : (
        <PopoverTrigger isOpen={isOpen} onOpenChange={change}>
          {button}
          <Popover label="Views" placement="bottom start" className={styles.popover}>
            {panel}
          </Popover>
        </PopoverTrigger>
      )}
      {dialog !== undefined && (
        <ViewDialog table={table} window={dialog} content={toContent(state)} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
