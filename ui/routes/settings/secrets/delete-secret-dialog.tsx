import { showToast } from '#ui/components/toast.tsx';
import { ConfirmDeletion } from '../../deletion/confirm-deletion.tsx';
import { useChangeSecret } from './use-change-secret.ts';

/** See {@link DeleteSecretDialog}. */
export interface DeleteSecretDialogProps {
  readonly secretKey: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Asks whether a secret is to be deleted, and deletes it. */
export function DeleteSecretDialog({ secretKey, onClose, onChanged }: DeleteSecretDialogProps) {
  const change = useChangeSecret();
  return (
    <ConfirmDeletion
      title="Delete secret"
      verb="Delete secret"
      onClose={onClose}
      onConfirm={async () => {
        await change(secretKey, null);
        onClose();
        onChanged();
        showToast({ tone: 'success', title: `${secretKey} was deleted` });
      }}
    >
      <p>
        Deletes <code>{secretKey}</code> with its value. What uses it stops working. This cannot be undone.
      </p>
    </ConfirmDeletion>
  );
}
