import { useState } from 'react';
import { graphql } from 'react-relay';
import type { addDirectoryUserDialogMutation } from '#ui/__generated__/addDirectoryUserDialogMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import styles from '../settings.module.css';
import type { AddUserDialogProps } from './add-user-dialog.tsx';

/** Prepares the account of somebody who signs in with the directory. */
export function AddDirectoryUserDialog({ onClose, onAdded }: AddUserDialogProps) {
  const [email, setEmail] = useState('');
  const [username, setUsername] = useState('');
  const create = useCommit<addDirectoryUserDialogMutation>(graphql`
    mutation addDirectoryUserDialogMutation($input: CreateUserInput!) {
      createUser(input: $input) {
        user {
          id
        }
      }
    }
  `);
  const { onSubmit, isPending, refusal, clearRefusal } = useSubmit(async () => {
    if (email.trim() === '') throw new Error('Enter an email address.');
    if (username.trim() === '') throw new Error('Enter a name.');
    await create({ input: { email, username, role: 'VIEWER', authMethod: 'LDAP' } });
    onAdded();
    onClose();
    return true;
  });
  return (
    <FormDialog
      title="Add directory user"
      verb="Add user"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
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
        hint="As the directory has it."
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
      />
      <p className={styles.hint}>
        The user signs in with the name and password of the directory, which also decides the role at each sign-in.
      </p>
    </FormDialog>
  );
}
