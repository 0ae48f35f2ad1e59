import { type ReactNode, useState } from 'react';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';

/** See {@link ConfirmDeletion}. */
export interface ConfirmDeletionProps {
  readonly title: string;
  /** What goes, and that it does not come back. */
  readonly children: ReactNode;
  /** What the button says: `Delete project`. */
  readonly verb: string;
  /** What is to be typed before anything is deleted; absent: nothing. */
  readonly name?: string | undefined;
  /** False while there is nothing to delete. */
  readonly canConfirm?: boolean;
  readonly onClose: () => void;
  /** Deletes; rejects with the reason why it could not. */
  readonly onConfirm: () => Promise<void>;
}

/** Asks before what cannot be undone. It stands as long as it is open. */
export function ConfirmDeletion({
  title,
  children,
  verb,
  name,
  canConfirm = true,
  onClose,
  onConfirm,
}: ConfirmDeletionProps) {
  const [typed, setTyped] = useState('');
  // What cannot be seen in a name can be typed as the marks that are shown for it.
  const isSure = name === undefined || [name.trim(), revealHidden(name).trim()].includes(typed.trim());
  const canSubmit = isSure && canConfirm;
  const { onSubmit, isPending, refusal } = useSubmit(async () => (canSubmit ? onConfirm() : false));
  return (
    <FormDialog
      title={title}
      verb={verb}
      variant="danger"
      isPending={isPending}
      canSubmit={canSubmit}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      {children}
      {name !== undefined && (
        <TextField
          label={`Type “${revealHidden(name)}” to confirm`}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to type it.
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      )}
    </FormDialog>
  );
}
