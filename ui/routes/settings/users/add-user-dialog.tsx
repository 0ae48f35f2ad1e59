import { useState } from 'react';
import { graphql } from 'react-relay';
import type { addUserDialogMutation } from '#ui/__generated__/addUserDialogMutation.graphql.ts';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { findPasswordFault } from '#ui/lib/password-policy.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import styles from '../settings.module.css';
import { HandoverDialog } from './handover-dialog.tsx';
import { RolePicker } from './role-picker.tsx';
import type { PersonRole } from './roles.ts';
import { makeTemporaryPassword } from './temporary-password.ts';
import { TemporaryPasswordField } from './temporary-password-field.tsx';

/** See {@link AddUserDialog}. */
export interface AddUserDialogProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

type Field = 'email' | 'username';

/** Adds a user who signs in with a password, and shows that password once. */
export function AddUserDialog({ onClose, onAdded }: AddUserDialogProps) {
  const [email, setEmail] = useState('');
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<PersonRole>('MEMBER');
  const [password, setPassword] = useState(makeTemporaryPassword);
  const [isInvited, setIsInvited] = useState(serverConfig.canResetByMail);
  const [isChecked, setIsChecked] = useState(false);
  const [isAdded, setIsAdded] = useState(false);
  const create = useCommit<addUserDialogMutation>(graphql`
    mutation addUserDialogMutation($input: CreateUserInput!) {
      createUser(input: $input) {
        user {
          id
        }
      }
    }
  `);

  const { onSubmit, isPending, refusal, clearRefusal } = useSubmit(async () => {
    setIsChecked(true);
    if (email.trim() === '') throw new Error('Enter an email address.');
    if (username.trim() === '') throw new Error('Enter a name.');
    if (findPasswordFault(password, serverConfig.hasStrongPasswords) !== undefined) return false;
    await create({ input: { email, username, role, password, sendWelcomeEmail: isInvited } });
    onAdded();
    setIsAdded(true);
    return true;
  });
  const refusedField = refusal === undefined ? undefined : fieldOf(refusal);
  const errorAt = (field: Field) => (refusedField === field ? refusal : undefined);

  if (isAdded)
    return (
      <HandoverDialog
        title="User added"
        username={username.trim()}
        email={email.trim()}
        password={password}
        isInvited={isInvited}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="Add user"
      verb="Add user"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusedField === undefined ? refusal : undefined}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to fill it in.
        autoFocus
        value={email}
        onChange={(value) => {
          setEmail(value);
          clearRefusal();
        }}
        isInvalid={errorAt('email') !== undefined}
        error={errorAt('email')}
        hint="The user signs in with it. It cannot be changed later."
      />
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={200}
        value={username}
        onChange={(value) => {
          setUsername(value);
          clearRefusal();
        }}
        isInvalid={errorAt('username') !== undefined}
        error={errorAt('username')}
      />
      <RolePicker value={role} onChange={setRole} />
      <TemporaryPasswordField value={password} onChange={setPassword} isChecked={isChecked} />
      <p className={styles.hint}>
        The user must choose a new password at the first sign-in.
        {!serverConfig.canResetByMail && ' This server cannot send mail: hand the password over yourself.'}
      </p>
      {serverConfig.canResetByMail && (
        <Checkbox isSelected={isInvited} onChange={setIsInvited}>
          Send an invitation by mail, without the password
        </Checkbox>
      )}
    </FormDialog>
  );
}

/** Which field a refusal is about, by the words that the server is bound to. */
function fieldOf(refusal: string): Field | undefined {
  if (/e-?mail/i.test(refusal)) return 'email';
  return /(?:user|\b)name\b/i.test(refusal) ? 'username' : undefined;
}
