import { useState } from 'react';
import { graphql } from 'react-relay';
import type { resetPasswordDialogMutation } from '#ui/__generated__/resetPasswordDialogMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { Name } from '#ui/components/name.tsx';
import { findPasswordFault } from '#ui/lib/password-policy.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { HandoverDialog } from './handover-dialog.tsx';
import { makeTemporaryPassword } from './temporary-password.ts';
import { TemporaryPasswordField } from './temporary-password-field.tsx';
import type { ActedUser } from './user-tools.ts';

/** Sets a temporary password for a user, and shows it once. */
export function ResetPasswordDialog({ user, onClose }: { readonly user: ActedUser; readonly onClose: () => void }) {
  const [password, setPassword] = useState(makeTemporaryPassword);
  const [isChecked, setIsChecked] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const patch = useCommit<resetPasswordDialogMutation>(graphql`
    mutation resetPasswordDialogMutation($input: PatchUserInput!) {
      patchUser(input: $input) {
        user {
          passwordNeedsReset
          isLocked
        }
      }
    }
  `);

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    setIsChecked(true);
    if (findPasswordFault(password, serverConfig.hasStrongPasswords) !== undefined) return false;
    await patch({ input: { userId: user.id, newPassword: password } });
    setIsDone(true);
    return true;
  });
  if (isDone)
    return (
      <HandoverDialog
        title="Password reset"
        username={user.username}
        email={user.email ?? ''}
        password={password}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="Reset password"
      verb="Reset password"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <p>
        <Name>{user.username}</Name> is signed out everywhere and must choose a new password at the next sign-in. A
        locked account is unlocked. Personal API keys stay.
      </p>
      <TemporaryPasswordField value={password} onChange={setPassword} isChecked={isChecked} isFocused />
    </FormDialog>
  );
}
