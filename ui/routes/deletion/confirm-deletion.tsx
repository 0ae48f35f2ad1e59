import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './confirm-deletion.module.css';

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
  const form = useId();
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isDeleting, setIsDeleting] = useState(false);
  // What cannot be seen in a name can be typed as the marks that are shown for it.
  const isSure = name === undefined || [name.trim(), revealHidden(name).trim()].includes(typed.trim());

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isSure || !canConfirm || isDeleting) return;
    setIsDeleting(true);
    try {
      await onConfirm();
    } catch (error) {
      setRefusal(describeError(error));
      setIsDeleting(false);
    }
  }

  return (
    <Dialog
      title={title}
      size="sm"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="danger" type="submit" form={form} isDisabled={!isSure || !canConfirm || isDeleting}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void confirm(event)} className={styles.form}>
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
        {refusal !== undefined && (
          <p role="alert" className={styles.refusal}>
            {refusal}
          </p>
        )}
      </form>
    </Dialog>
  );
}
