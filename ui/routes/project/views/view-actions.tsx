import { useNavigate } from '@tanstack/react-router';
import {
  BookmarkPlus,
  Link2,
  type LucideIcon,
  PanelTopOpen,
  Pencil,
  RotateCcw,
  Save,
  Trash2,
  Users,
} from 'lucide-react';
import { useId, useState } from 'react';
import { useRelayEnvironment } from 'react-relay';
import type { ViewContent, ViewTable } from '#domain/saved-view';
import { Button } from '#ui/components/button.tsx';
import { deleteWithUndo } from '#ui/components/delete-with-undo.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { copyText } from '#ui/lib/clipboard.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { useMay, useViewer } from '#ui/lib/viewer.ts';
import { useProjectView } from '../project-view.ts';
import { lookChanges, useOpenView } from './open-view.ts';
import { readContent, type ViewItem } from './view-data.ts';
import { describeChanges } from './describe-changes.ts';
import { type ViewChanges, useViewChanges } from './use-view-changes.ts';
import type { ViewWindow } from './view-dialog.tsx';
import type { ViewPart } from './view-state.ts';
import styles from './views.module.css';

/** See {@link ViewActions}. */
export interface ViewActionsProps {
  readonly table: ViewTable;
  /** The view that the table shows. */
  readonly shown: ViewItem | undefined;
  /** How the table differs from that view. */
  readonly changed: readonly ViewPart[];
  /** The table as it is now. */
  readonly content: ViewContent;
  readonly onWindow: (window: ViewWindow) => void;
  readonly onClose: () => void;
}

interface Action {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run: () => void | Promise<void>;
  /** Whether the panel stays open. */
  readonly stays?: boolean;
}

/** What can be done with the table as it is, and with the view that it shows. */
export function ViewActions(props: ViewActionsProps) {
  const { shown, changed, onClose } = props;
  const titleId = useId();
  const [isBusy, setIsBusy] = useState(false);
  const actions = useActions(props);
  async function run({ run: act, stays = false }: Action): Promise<void> {
    setIsBusy(true);
    if (!stays) onClose();
    try {
      await act();
    } catch (error) {
      showToast({ tone: 'danger', title: 'The view could not be changed', description: describeError(error) });
    }
    setIsBusy(false);
  }
  if (actions.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- It groups no fields of a form.
    <div role="group" className={styles.actions} aria-labelledby={shown === undefined ? undefined : titleId}>
      {shown !== undefined && (
        <p id={titleId} className={styles.actionsTitle}>
          <Name>{shown.name}</Name>
          {changed.length > 0 && <span className={styles.changes}>{describeChanges(changed)}</span>}
        </p>
      )}
      {actions.map((action) => (
        <Button
          key={action.label}
          variant="ghost"
          icon={action.icon}
          className={styles.action}
          isDisabled={isBusy}
          onPress={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
    </div>
  );
}

function useActions({ table, shown, changed, content, onWindow }: ViewActionsProps): readonly Action[] {
  const { projectId } = useProjectView();
  const mayWrite = useMay('write');
  const environment = useRelayEnvironment();
  const changes = useViewChanges(projectId, table);
  const open = useOpenView();
  const defaults = useDefaultActions(shown, changes);
  const remove = useRemoval(changes);
  const saveAs: Action = {
    label: shown === undefined ? 'Save as view…' : 'Save as new view…',
    icon: BookmarkPlus,
    run: () => onWindow({ kind: 'new' }),
  };
  if (shown === undefined) return mayWrite ? [saveAs] : [];
  const { id, canChange, isShared, ownerName } = shown;
  const isChanged = changed.length > 0;
  return [
    ...when(isChanged && canChange, {
      label: 'Update view',
      icon: Save,
      run: async () => {
        await changes.patch(id, { content });
        lookChanges(id).set({});
      },
    }),
    ...when(isChanged, {
      label: 'Reset changes',
      icon: RotateCcw,
      run: async () => {
        const saved = await readContent(environment, id);
        if (saved !== null) open({ id, table }, saved);
      },
    }),
    ...when(mayWrite, saveAs),
    ...when(canChange, { label: 'Rename…', icon: Pencil, run: () => onWindow({ kind: 'rename', view: shown }) }),
    ...defaults,
    // What belongs to nobody stays shared.
    ...when(canChange && serverConfig.authEnabled && (!isShared || ownerName != null), {
      label: isShared ? 'Stop sharing' : 'Share with everybody in the project',
      icon: Users,
      stays: true,
      run: () => changes.patch(id, { isShared: !isShared }),
    }),
    {
      label: 'Copy link',
      icon: Link2,
      run: async () => {
        await copyText(`${location.origin}${serverConfig.rootPath}/projects/${projectId}/views/${id}`);
        showToast({ tone: 'success', title: 'The link was copied' });
      },
    },
    ...when(canChange, { label: 'Delete view', icon: Trash2, run: () => remove(shown) }),
  ];
}

/** Without accounts there is one default view of a table; with them, people have their own, too. */
function useDefaultActions(shown: ViewItem | undefined, changes: ViewChanges): readonly Action[] {
  const viewer = useViewer();
  const mayAdminister = useMay('administer');
  if (shown === undefined) return [];
  const { id, isShared, isOwnDefault, isSharedDefault } = shown;
  const all = viewer === null ? '' : ' for everybody';
  return [
    ...when(viewer !== null, {
      label: isOwnDefault ? 'Stop opening by default' : 'Open by default',
      icon: PanelTopOpen,
      stays: true,
      run: () => changes.setOwnDefault(isOwnDefault ? null : id),
    }),
    ...when(mayAdminister && isShared, {
      label: `${isSharedDefault ? 'Stop opening' : 'Open'} by default${all}`,
      icon: PanelTopOpen,
      stays: true,
      run: () => changes.setSharedDefault(isSharedDefault ? null : id),
    }),
  ];
}

function useRemoval(changes: ViewChanges): (view: ViewItem) => void {
  const navigate = useNavigate();
  return ({ id, name }) => {
    deleteWithUndo({ ids: [id], what: `The view “${revealHidden(name)}”`, run: () => changes.remove(id) });
    // The rows stay as they are.
    void navigate({ to: '.', search: (before) => ({ ...before, saved: undefined }), replace: true });
  };
}

function when(holds: boolean, action: Action): readonly Action[] {
  return holds ? [action] : [];
}
