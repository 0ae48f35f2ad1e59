import { useState } from 'react';
import { graphql } from 'react-relay';
import type { nameDialogMutation } from '#ui/__generated__/nameDialogMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { renameViewer } from '#ui/lib/viewer.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';

const RENAME = graphql`
  mutation nameDialogMutation($input: PatchViewerInput!) {
    patchViewer(input: $input) {
      user {
        username
      }
    }
  }
`;

interface NameDialogProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** Asks for another name. */
export function NameDialog({ username, onClose }: NameDialogProps) {
  const [name, setName] = useState(username);
  const rename = useCommit<nameDialogMutation>(RENAME);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const next = name.trim();
    if (next === '') throw new Error('Enter a name.');
    if (next !== username) {
      const { patchViewer } = await rename({ input: { newUsername: next } });
      renameViewer(patchViewer.user.username);
    }
    onClose();
  });
  return (
    <FormDialog title="Change name" verb="Save" isPending={isPending} onSubmit={onSubmit} onClose={onClose}>
      <TextField
        label="Name"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window asks for nothing else.
        autoFocus
        autoComplete="nickname"
        value={name}
        onChange={setName}
        isInvalid={refusal !== undefined}
        error={refusal}
        hint="Shown to others beside what you create. Each name is taken by one account."
      />
    </FormDialog>
  );
}
