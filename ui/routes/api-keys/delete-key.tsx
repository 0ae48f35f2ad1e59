import { graphql } from 'react-relay';
import type { deleteKeyPersonalMutation } from '#ui/__generated__/deleteKeyPersonalMutation.graphql.ts';
import type { deleteKeySystemMutation } from '#ui/__generated__/deleteKeySystemMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../deletion/confirm-deletion.tsx';
import { useCommit } from '../deletion/use-commit.ts';
import type { KeyKind, ShownKey } from './api-key.ts';

const PERSONAL = graphql`
  mutation deleteKeyPersonalMutation($id: ID!) {
    deleteUserApiKey(input: { id: $id }) {
      apiKeyId
    }
  }
`;

const SYSTEM = graphql`
  mutation deleteKeySystemMutation($id: ID!) {
    deleteSystemApiKey(input: { id: $id }) {
      apiKeyId
    }
  }
`;

interface DeleteKeyProps {
  readonly kind: KeyKind;
  readonly shown: ShownKey;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Asks whether a key is to be deleted, and deletes it. */
export function DeleteKey({ kind, shown: { id, name, lastUsedAt }, onDeleted, onClose }: DeleteKeyProps) {
  const removePersonal = useCommit<deleteKeyPersonalMutation>(PERSONAL);
  const removeSystem = useCommit<deleteKeySystemMutation>(SYSTEM);
  return (
    <ConfirmDeletion
      title="Delete API key"
      verb="Delete key"
      onClose={onClose}
      onConfirm={async () => {
        await (kind === 'system' ? removeSystem({ id }) : removePersonal({ id }));
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: `${revealHidden(name)} was deleted` });
      }}
    >
      <p>
        This deletes the key{' '}
        <b>
          <Name>{name}</Name>
        </b>
        . Programs that use it are refused from now on. This cannot be undone.
      </p>
      <p>
        {lastUsedAt === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Timestamp value={lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDeletion>
  );
}
