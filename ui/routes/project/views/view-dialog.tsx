import { useState } from 'react';
import { MAX_VIEW_NAME, type ViewContent, type ViewTable } from '#domain/saved-view';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useViewer } from '#ui/lib/viewer.ts';
import { useProjectView } from '../project-view.ts';
import { useOpenView } from './open-view.ts';
import { useViewChanges } from './use-view-changes.ts';
import type { ViewItem } from './view-data.ts';

/** What a window is for: a new view, or another name for one. */
export type ViewWindow = { readonly kind: 'new' } | { readonly kind: 'rename'; readonly view: ViewItem };

interface ViewDialogProps {
  readonly table: ViewTable;
  readonly window: ViewWindow;
  /** The table as it is. */
  readonly content: ViewContent;
  readonly onClose: () => void;
}

/** Asks for the name of a view. */
export function ViewDialog({ table, window, content, onClose }: ViewDialogProps) {
  const { projectId } = useProjectView();
  const hasAccount = useViewer() !== null;
  const [name, setName] = useState(window.kind === 'rename' ? window.view.name : '');
  const [isShared, setIsShared] = useState(false);
  const changes = useViewChanges(projectId, table);
  const open = useOpenView();
  const { onSubmit, isPending, refusal, clearRefusal } = useSubmit(async () => {
    if (window.kind === 'rename') await changes.patch(window.view.id, { name: name.trim() });
    else {
      const id = await changes.create({ name: name.trim(), content, isShared: isShared || !hasAccount });
      open({ id, table }, content, { replace: true });
    }
    onClose();
  });
  const isNew = window.kind === 'new';
  return (
    <FormDialog
      title={isNew ? 'Save as view' : 'Rename view'}
      verb={isNew ? 'Save view' : 'Rename'}
      isPending={isPending}
      canSubmit={name.trim() !== ''}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <TextField
        label="Name"
        placeholder="Slow calls of the last day"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to fill it in.
        autoFocus
        maxLength={MAX_VIEW_NAME}
        value={name}
        onChange={(next) => {
          setName(next);
          clearRefusal();
        }}
        hint={isNew ? 'Keeps filter, time range, order, grouping, columns and row height.' : undefined}
      />
      {isNew && hasAccount && (
        <Checkbox isSelected={isShared} onChange={setIsShared}>
          Share with everybody in the project
        </Checkbox>
      )}
    </FormDialog>
  );
}
