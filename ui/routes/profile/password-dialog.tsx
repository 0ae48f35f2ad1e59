import { useState } from 'react';
import { graphql } from 'react-relay';
import type { passwordDialogMutation } from '#ui/__generated__/passwordDialogMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { PasswordField } from '#ui/components/password-field.tsx';
import { leaveForNewSession } from '#ui/lib/session.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { NewPasswordFields, useNewPassword } from '../sign-in/new-password.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';

const CHANGE = graphql`
  mutation passwordDialogMutation($input: PatchViewerInput!) {
    patchViewer(input: $input) {
      user {
        id
      }
    }
  }
`;

interface PasswordDialogProps {
  readonly email: string | null;
  readonly onClose: () => void;
}

/** Asks for the current password and a new one. */
export function PasswordDialog({ email, onClose }: PasswordDialogProps) {
  const [current, setCurrent] = useState('');
  const password = useNewPassword(current);
  const change = useCommit<passwordDialogMutation>(CHANGE);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (!password.check()) return false;
    if (current === '') throw new Error('Enter your current password.');
    await change({ input: { currentPassword: current, newPassword: password.value } });
    leaveForNewSession();
    return true;
  });
  return (
    <FormDialog
      title="Change password"
      verb="Change password"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <p>All your sessions end, this one too: sign in again with the new password. Your API keys still work.</p>
      {/* Tells password managers whose password it is. */}
      <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
      <PasswordField
        label="Current password"
        value={current}
        onChange={setCurrent}
        autoComplete="current-password"
        isFocused
      />
      <NewPasswordFields password={password} />
    </FormDialog>
  );
}
