import { graphql } from 'react-relay';
import type { deletePolicyDialogMutation } from '#ui/__generated__/deletePolicyDialogMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../../deletion/confirm-deletion.tsx';
import { useCommit } from '../../deletion/use-commit.ts';
import type { EditedPolicy } from './policy-form.ts';

interface DeletePolicyDialogProps {
  readonly policy: EditedPolicy;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether a policy is to be deleted, and deletes it. */
export function DeletePolicyDialog({ policy, onClose, onDeleted }: DeletePolicyDialogProps) {
  const remove = useCommit<deletePolicyDialogMutation>(graphql`
    mutation deletePolicyDialogMutation($input: DeleteProjectTraceRetentionPolicyInput!) {
      deleteProjectTraceRetentionPolicy(input: $input) {
        node {
          id
        }
      }
    }
  `);
  return (
    <ConfirmDeletion
      title="Delete policy"
      verb="Delete policy"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ input: { id: policy.id } });
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: `The policy ${revealHidden(policy.name)} was deleted` });
      }}
    >
      <p>
        Deletes the policy <Name>{policy.name}</Name>. Its projects have the default policy then. No trace is deleted
        now.
      </p>
    </ConfirmDeletion>
  );
}
