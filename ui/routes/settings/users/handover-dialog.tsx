import { Button } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { Name } from '#ui/components/name.tsx';
import styles from './temporary-password.module.css';

/** See {@link HandoverDialog}. */
export interface HandoverDialogProps {
  readonly title: string;
  readonly username: string;
  /** What the user signs in with. */
  readonly email: string;
  readonly password: string;
  /** Whether an invitation has been sent, which does not hold the password. */
  readonly isInvited?: boolean;
  readonly onClose: () => void;
}

/** Shows a password once, to be handed over. */
export function HandoverDialog({ title, username, email, password, isInvited, onClose }: HandoverDialogProps) {
  return (
    <Dialog
      title={title}
      size="sm"
      isOpen
      isHeld
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.shown}>
        <p>
          Give <Name>{username}</Name> this temporary password now. It is not shown again.
        </p>
        <div className={styles.password}>
          <code>{password}</code>
          <CopyButton text={password} label="Copy password" size="md" hasText isFocused />
        </div>
        <p className={styles.note}>
          They sign in with {email} and then choose a password of their own before they can do anything else.
          {isInvited === true && ' The invitation that was sent has the address of this server, but not the password.'}
        </p>
      </div>
    </Dialog>
  );
}
