import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './form-dialog.module.css';

/** See {@link FormDialog}. */
export interface FormDialogProps {
  readonly title: string;
  /** What the button that sends the form says: `Add user`. */
  readonly verb: string;
  readonly variant?: 'primary' | 'danger';
  readonly size?: 'sm' | 'md';
  readonly isPending: boolean;
  /** False while there is nothing to send. */
  readonly canSubmit?: boolean;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  /** Why the form was refused, unless a field says it. */
  readonly refusal?: string | undefined;
  readonly children: ReactNode;
}

/** A window with a form. It stands as long as it is open. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, variant = 'primary', size = 'sm', isPending, canSubmit = true, onClose, refusal } = props;
  const form = useId();
  const onSubmit = (event: FormEvent) => {
    // In React's tree a window can stand inside the form that opened it, which is not to be sent with it.
    event.stopPropagation();
    props.onSubmit(event);
  };
  return (
    <Dialog
      title={title}
      size={size}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant={variant} type="submit" form={form} isDisabled={isPending || !canSubmit}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={onSubmit} className={styles.form} noValidate autoComplete="off">
        {props.children}
        <div role="alert">{refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}</div>
      </form>
    </Dialog>
  );
}
