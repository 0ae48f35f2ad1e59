import { graphql } from 'react-relay';
import type { revokeGrantMutation } from '#ui/__generated__/revokeGrantMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../deletion/confirm-deletion.tsx';
import { useCommit } from '../deletion/use-commit.ts';

interface RevokeGrantProps {
  readonly id: string;
  readonly name: string;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

/** Asks whether an application is to be shut out, and does it. */
export function RevokeGrant({ id, name, onRevoked, onClose }: RevokeGrantProps) {
  const revoke = useCommit<revokeGrantMutation>(graphql`
    mutation revokeGrantMutation($id: ID!) {
      revokeOAuth2Grant(input: { id: $id }) {
        grantId
      }
    }
  `);
  return (
    <ConfirmDeletion
      title="Revoke application"
      verb="Revoke"
      onClose={onClose}
      onConfirm={async () => {
        await revoke({ id });
        onClose();
        onRevoked();
        showToast({ tone: 'success', title: `${revealHidden(name)} was revoked` });
      }}
    >
      <p>
        The server refuses{' '}
        <b>
          <Name>{name}</Name>
        </b>{' '}
        from now on. To use it again, let it in again.
      </p>
    </ConfirmDeletion>
  );
}
