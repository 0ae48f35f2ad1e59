import { useState } from 'react';
import { graphql } from 'react-relay';
import type { changeRoleDialogMutation } from '#ui/__generated__/changeRoleDialogMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { Name } from '#ui/components/name.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { RolePicker } from './role-picker.tsx';
import { toPersonRole } from './roles.ts';
import type { ActedUser } from './user-tools.ts';

/** Gives a user another role. */
export function ChangeRoleDialog({ user, onClose }: { readonly user: ActedUser; readonly onClose: () => void }) {
  const [role, setRole] = useState(toPersonRole(user.role.name) ?? 'VIEWER');
  const patch = useCommit<changeRoleDialogMutation>(graphql`
    mutation changeRoleDialogMutation($input: PatchUserInput!) {
      patchUser(input: $input) {
        user {
          role {
            name
          }
        }
      }
    }
  `);

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (role !== user.role.name) await patch({ input: { userId: user.id, newRole: role } });
    onClose();
  });
  return (
    <FormDialog
      title="Change role"
      verb="Change role"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <p>
        <Name>{user.username}</Name> is signed out everywhere and works with the new role from the next sign-in.
        Personal keys follow the role at once.
      </p>
      <RolePicker value={role} onChange={setRole} />
    </FormDialog>
  );
}
